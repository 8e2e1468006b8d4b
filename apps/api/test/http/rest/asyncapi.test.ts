import { Parser } from '@asyncapi/parser'
import { streamMessages } from '@papermoon/contract/live'
import { describe, expect, it } from 'vitest'
import { openEventSource } from '../../support/event-source.ts'
import { shareTestServer } from '../../support/test-server.ts'

const server = await shareTestServer({ env: { PUBLIC_URL: 'https://moon.example' } })
const text = (await server.visitor().get('/api/asyncapi.json')).body

const names = Object.keys(streamMessages) as (keyof typeof streamMessages)[]

describe('the AsyncAPI document', () => {
  it('is valid, and lists every message for both channels', async () => {
    const { document, diagnostics } = await new Parser().parse(text)
    expect(
      diagnostics.filter(({ severity }) => severity <= 1).map(({ message, path }) => `${path}: ${message}`),
    ).toEqual([])
    expect(document?.version()).toBe('3.0.0')
    expect(
      document
        ?.servers()
        .all()
        .map((one) => `${one.protocol()}://${one.host()}`),
    ).toEqual(['https://moon.example', 'wss://moon.example'])
    for (const channel of document?.channels().all() ?? []) {
      expect(
        channel
          .messages()
          .all()
          .map((message) => message.name()),
      ).toEqual(names)
    }
  })

  it.each(names)('has an example of %s that matches its schema', (name) => {
    const [example] = JSON.parse(text).components.messages[name].examples
    expect(streamMessages[name].strict().parse(example.payload)).toEqual(example.payload)
  })

  it('describes the messages that are sent', async () => {
    const url = `http://127.0.0.1:${await server.listen()}`
    const source = await openEventSource(`${url}/api/events`)
    const player = await server.player()
    const tokenId = await player.launch({ initialBuyAmount: '0.1' })
    await player.raw('POST', `/api/tokens/${tokenId}/rug`, '')
    await source.at(2)
    expect(source.events.map(({ type }) => type)).toEqual(['launch', 'trade', 'rug'])
    for (const { type, data } of source.events) {
      expect(streamMessages[type as keyof typeof streamMessages].strict().parse(data)).toEqual(data)
    }
    source.close()
  })
})
