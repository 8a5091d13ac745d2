// An agent with the AI SDK and one of its providers.

import { question, report, run, tools } from './host.mjs'

const six = process.env.VERSION === '6'
const load = (name) => import(six ? `ai6-${name}` : `@ai-sdk/${name}`)
const { generateText, jsonSchema, stepCountIs, isStepCount, streamText, tool } = await import(six ? 'ai6' : 'ai')
const baseURL = `${process.env.PROXY}/v1`
const apiKey = 'key'
const model = await {
  anthropic: async () => (await load('anthropic')).createAnthropic({ baseURL, apiKey })('scripted'),
  chat: async () => (await load('openai')).createOpenAI({ baseURL, apiKey }).chat('scripted'),
  compatible: async () => (await load('openai-compatible')).createOpenAICompatible({ name: 'callwire', baseURL, apiKey })('scripted'),
  google: async () => (await load('google')).createGoogleGenerativeAI({ baseURL: `${process.env.PROXY}/v1beta`, apiKey })('scripted'),
  responses: async () => (await load('openai')).createOpenAI({ baseURL, apiKey })('scripted'),
}[process.env.PROVIDER]()

const request = {
  model,
  prompt: question,
  maxRetries: 0,
  maxOutputTokens: 1000,
  stopWhen: (stepCountIs ?? isStepCount)(6),
  tools: Object.fromEntries(Object.entries(tools).map(([name, { description, schema }]) =>
    [name, tool({ description, inputSchema: jsonSchema(schema), execute: (input) => run(name, input) })])),
}

if (process.env.STREAM === 'true') {
  const result = streamText({ ...request, onError: ({ error }) => { throw error } })
  let text = ''
  for await (const delta of result.textStream) text += delta
  report((await result.text), (await result.steps).length)
  if (!text.endsWith(await result.text)) throw new Error(`the deltas are ${text}`)
} else {
  const result = await generateText(request)
  report(result.text, result.steps.length)
}
