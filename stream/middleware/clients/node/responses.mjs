// An agent with openai-node and responses, with its accumulator where it streams.

import { question, report, run, tools } from './host.mjs'

const { default: OpenAI } = await import(process.env.VERSION === '6' ? 'openai6' : 'openai')
const client = new OpenAI({ baseURL: `${process.env.PROXY}/v1`, apiKey: 'key', maxRetries: 0 })
const input = [{ role: 'user', content: question }]
const request = {
  model: 'scripted',
  input,
  store: false,
  tools: Object.entries(tools).map(([name, { description, schema }]) => ({ type: 'function', name, description, parameters: schema, strict: false })),
}

async function ask() {
  if (process.env.STREAM !== 'true') return client.responses.create(request)
  let text = ''
  const stream = client.responses.stream(request)
  stream.on('response.output_text.delta', ({ delta }) => { text += delta })
  const response = await stream.finalResponse()
  if (text !== response.output_text) throw new Error(`the deltas are ${text}`)
  return response
}

let steps = 0
for (let calls = true; calls;) {
  const response = await ask()
  steps++
  input.push(...response.output)
  calls = false
  for (const item of response.output) {
    if (item.type !== 'function_call') continue
    calls = true
    input.push({ type: 'function_call_output', call_id: item.call_id, output: run(item.name, JSON.parse(item.arguments)) })
  }
  if (!calls) report(response.output_text, steps)
}
