// An agent with Ollama's client.

import { Ollama } from 'ollama'
import { question, report, run, tools } from './host.mjs'

const client = new Ollama({ host: process.env.PROXY })
const messages = [{ role: 'user', content: question }]
const request = {
  model: 'scripted',
  messages,
  tools: Object.entries(tools).map(([name, { description, schema }]) => ({ type: 'function', function: { name, description, parameters: schema } })),
}

async function ask() {
  if (process.env.STREAM !== 'true') return (await client.chat({ ...request, stream: false })).message
  const message = { role: 'assistant', content: '', tool_calls: [] }
  for await (const part of await client.chat({ ...request, stream: true })) {
    message.content += part.message.content
    message.tool_calls.push(...(part.message.tool_calls ?? []))
  }
  return message
}

for (let steps = 1; ; steps++) {
  const message = await ask()
  messages.push(message)
  if (!message.tool_calls?.length) {
    report(message.content, steps)
    break
  }
  for (const call of message.tool_calls) {
    messages.push({ role: 'tool', tool_name: call.function.name, content: run(call.function.name, call.function.arguments) })
  }
}
