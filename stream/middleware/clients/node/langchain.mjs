// An agent of LangChain with one of its models.

import { ChatAnthropic } from '@langchain/anthropic'
import { ChatOpenAI } from '@langchain/openai'
import { createAgent, tool } from 'langchain'
import { question, report, run, tools } from './host.mjs'

const model = {
  anthropic: () => new ChatAnthropic({ model: 'scripted', apiKey: 'key', anthropicApiUrl: process.env.PROXY, maxTokens: 1000, maxRetries: 0 }),
  chat: () => new ChatOpenAI({ model: 'scripted', apiKey: 'key', configuration: { baseURL: `${process.env.PROXY}/v1` }, maxRetries: 0 }),
  responses: () => new ChatOpenAI({ model: 'scripted', apiKey: 'key', configuration: { baseURL: `${process.env.PROXY}/v1` }, maxRetries: 0, useResponsesApi: true }),
}[process.env.PROVIDER]()

const agent = createAgent({
  model,
  tools: Object.entries(tools).map(([name, { description, schema }]) =>
    tool((input) => run(name, input), { name, description, schema })),
})
const input = { messages: [{ role: 'user', content: question }] }
let messages
if (process.env.STREAM === 'true') {
  for await (const [mode, state] of await agent.stream(input, { streamMode: ['messages', 'values'] })) {
    if (mode === 'values') messages = state.messages
  }
} else {
  messages = (await agent.invoke(input)).messages
}
report(messages.at(-1).text, messages.filter(({ type }) => type === 'ai').length)
