// An agent with the Agents SDK, which speaks responses.

import { Agent, OpenAIResponsesModel, Runner, setTracingDisabled, tool } from '@openai/agents'
import OpenAI from 'openai'
import { question, report, run, tools } from './host.mjs'

setTracingDisabled(true)
const client = new OpenAI({ baseURL: `${process.env.PROXY}/v1`, apiKey: 'key', maxRetries: 0 })
const agent = new Agent({
  name: 'weather',
  instructions: 'Be brief.',
  model: new OpenAIResponsesModel(client, 'scripted'),
  tools: Object.entries(tools).map(([name, { description, schema }]) =>
    tool({ name, description, parameters: { ...schema, additionalProperties: true }, strict: false, execute: async (input) => run(name, input) })),
})

const runner = new Runner({ tracingDisabled: true })
const streams = process.env.STREAM === 'true'
const result = await runner.run(agent, question, { stream: streams, maxTurns: 6 })
if (streams) {
  for await (const event of result) if (event.type === 'error') throw event.error
  await result.completed
}
report(result.finalOutput, result.rawResponses.length)
