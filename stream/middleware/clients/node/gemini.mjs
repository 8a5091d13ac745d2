// An agent with Google's SDK: a chat with a loop around it, or one that calls functions
// by itself.

import { GoogleGenAI } from '@google/genai'
import { question, report, run, tools } from './host.mjs'

const ai = new GoogleGenAI({ apiKey: 'key', httpOptions: { baseUrl: process.env.PROXY } })
const functionDeclarations = Object.entries(tools).map(([name, { description, schema }]) => ({ name, description, parametersJsonSchema: schema }))
const streams = process.env.STREAM === 'true'
const execute = (call) => ({ functionResponse: { id: call.id, name: call.name, response: { output: run(call.name, call.args) } } })

async function collect(answer) {
  if (!streams) return answer
  let text = ''
  const functionCalls = []
  for await (const chunk of answer) {
    const parts = chunk.candidates?.[0]?.content?.parts ?? []
    if (parts.some(({ functionResponse }) => functionResponse)) text = '' // the next message
    text += parts.map((part) => part.thought ? '' : part.text ?? '').join('')
    functionCalls.push(...(chunk.functionCalls ?? []))
  }
  return { text, functionCalls }
}

if (process.env.PROVIDER === 'automatic') {
  const callable = { tool: async () => ({ functionDeclarations }), callTool: async (calls) => calls.map(execute) }
  const request = { model: 'scripted', contents: question, config: { tools: [callable] } }
  const answer = await collect(await (streams ? ai.models.generateContentStream(request) : ai.models.generateContent(request)))
  report(answer.text, 4)
} else {
  const chat = ai.chats.create({ model: 'scripted', config: { tools: [{ functionDeclarations }] } })
  const send = async (message) => collect(await (streams ? chat.sendMessageStream({ message }) : chat.sendMessage({ message })))
  let answer = await send(question)
  let steps = 1
  for (; answer.functionCalls?.length; steps++) answer = await send(answer.functionCalls.map(execute))
  report(answer.text, steps)
}
