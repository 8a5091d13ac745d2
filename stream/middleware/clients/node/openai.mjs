// An agent with openai-node, whose runTools is the whole loop.

import { question, report, run, tools } from './host.mjs'

const { default: OpenAI } = await import(process.env.VERSION === '6' ? 'openai6' : 'openai')
const client = new OpenAI({ baseURL: `${process.env.PROXY}/v1`, apiKey: 'key', maxRetries: 0 })
const runner = client.chat.completions.runTools({
  model: 'scripted',
  stream: process.env.STREAM === 'true',
  messages: [{ role: 'user', content: question }],
  tools: Object.entries(tools).map(([name, { description, schema }]) => ({
    type: 'function',
    function: { name, description, parameters: schema, parse: JSON.parse, function: (input) => run(name, input) },
  })),
})
const text = await runner.finalContent()
report(text, runner.allChatCompletions().length)
