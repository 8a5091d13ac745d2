// An agent with Anthropic's SDK, whose toolRunner is the whole loop. It keeps the
// conversation in a thread on the server if it can.

import Anthropic from '@anthropic-ai/sdk'
import { question, report, run, tools } from './host.mjs'

const client = new Anthropic({ baseURL: process.env.PROXY, apiKey: 'key', maxRetries: 0 })
const runner = client.beta.messages.toolRunner({
  model: 'scripted',
  max_tokens: 1000,
  stream: process.env.STREAM === 'true',
  messages: [{ role: 'user', content: question }],
  tools: Object.entries(tools).map(([name, { description, schema }]) => ({
    type: 'custom', name, description, input_schema: schema, run: (input) => run(name, input), parse: (input) => input,
  })),
})
let steps = 0
let message
for await (const turn of runner) {
  message = process.env.STREAM === 'true' ? await turn.finalMessage() : turn
  steps++
}
report(message.content.filter(({ type }) => type === 'text').map(({ text }) => text).join(''), steps)
