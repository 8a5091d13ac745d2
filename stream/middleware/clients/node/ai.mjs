// An agent with the AI SDK and one of its providers.

import { createAnthropic } from '@ai-sdk/anthropic'
import { createOpenAI } from '@ai-sdk/openai'
import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { generateText, jsonSchema, stepCountIs, streamText, tool } from 'ai'
import { question, report, run, tools } from './host.mjs'

const baseURL = `${process.env.PROXY}/v1`
const provider = {
  anthropic: () => createAnthropic({ baseURL, apiKey: 'key' }),
  openai: () => createOpenAICompatible({ name: 'callwire', baseURL, apiKey: 'key' }),
  responses: () => createOpenAI({ baseURL, apiKey: 'key' }),
}[process.env.PROVIDER]()

const request = {
  model: provider('scripted'),
  prompt: question,
  maxRetries: 0,
  maxOutputTokens: 1000,
  stopWhen: stepCountIs(6),
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
