import type { Writable } from 'node:stream'
import { tradeEvent } from '@papermoon/live/testing'
import { describe, expect, it } from 'vitest'
import * as ws from 'ws'
import { createTracker, TrackedEvents } from '../../../src/events/tracked-events.ts'
import { SubscriptionFrames } from '../../../src/http/sockets/subscription-frames.ts'
import { TextFrames } from '../../../src/http/sockets/text-frames.ts'

/** Public in ws, but missing in its types. */
const { Receiver } = ws as unknown as { Receiver: new (options: { isServer: boolean }) => Writable }

/** The texts that a client receives from frames. */
async function heard({ bytes }: TextFrames, count: number): Promise<string[]> {
  const receiver = new Receiver({ isServer: false })
  const texts: string[] = []
  const all = new Promise<void>((resolve, reject) => {
    receiver.on('message', (data: Buffer, isBinary: boolean) => {
      expect(isBinary).toBe(false)
      if (texts.push(data.toString()) === count) resolve()
    })
    receiver.on('error', reject)
  })
  receiver.write(bytes)
  await all
  return texts
}

describe('text frames', () => {
  it('are received as the texts they hold, one message each, at every length', async () => {
    const texts = ['a', 'é'.repeat(62), 'b'.repeat(125), 'c'.repeat(126), 'd'.repeat(65_535), 'e'.repeat(65_536)]
    expect(await heard(new TextFrames(texts), texts.length)).toEqual(texts)
  })
})

describe('the frames for subscribers', () => {
  const bundle = (...seqs: number[]) =>
    new TrackedEvents(seqs.map((seq) => ({ id: String(seq), event: tradeEvent({ seq }) })))
  const message = (id: unknown, data: unknown) => ({ id, jsonrpc: undefined, result: { type: 'data', data } })

  it('hold one message of tRPC for each event, tracked by its id', async () => {
    const frames = new SubscriptionFrames().encode(message(3, bundle(1, 2)))
    const texts = frames === null ? [] : await heard(frames, 2)
    expect(texts.map((text) => JSON.parse(text))).toMatchObject([
      { id: 3, result: { type: 'data', id: '1', data: { json: { id: '1', data: { type: 'trade', seq: 1 } } } } },
      { id: 3, result: { type: 'data', id: '2', data: { json: { id: '2', data: { type: 'trade', seq: 2 } } } } },
    ])
  })

  it('are made once for all subscribers with the same id', () => {
    const shared = new SubscriptionFrames()
    const { items } = bundle(1)
    const first = shared.encode(message(1, new TrackedEvents(items)))
    expect(shared.encode(message(1, new TrackedEvents(items)))).toBe(first)
    expect(shared.encode(message(2, new TrackedEvents(items)))).not.toBe(first)
    expect(shared.encode(message(1, bundle(1)))).not.toBe(first)
  })

  it('are cached up to a megabyte, the latest ones', () => {
    const shared = new SubscriptionFrames()
    // A message contains its id twice.
    const sized = (bytes: number) => {
      const items = [{ id: 'x'.repeat(bytes / 2), event: tradeEvent({ seq: 1 }) }]
      return () => shared.encode(message(1, new TrackedEvents(items)))
    }
    const [first, second] = [sized(600_000), sized(600_000)]
    const made = first()
    expect(first()).toBe(made)
    expect(second()).toBe(second())
    expect(first()).not.toBe(made)
    const tooLarge = sized(1_200_000)
    expect(tooLarge()).not.toBe(tooLarge())
  })

  it('are cached for resuming subscribers apart from new events', () => {
    const shared = new SubscriptionFrames()
    const { items } = bundle(...Array.from({ length: 500 }, (_, i) => i + 1))
    const page = () => shared.encode(message(1, new TrackedEvents(items)))
    const made = page()
    for (let seq = 501; seq < 5_000; seq++) shared.encode(message(1, bundle(seq)))
    expect(page()).toBe(made)
  })

  it('release the events once they are encoded', () => {
    const read = [tradeEvent({ seq: 1 }), tradeEvent({ seq: 2 })]
    const yielded = createTracker(({ seq }) => String(seq))(read) as unknown as TrackedEvents
    expect(read).toEqual([])
    expect(yielded.items).toHaveLength(2)
    new SubscriptionFrames().encode(message(1, yielded))
    expect(yielded.items).toEqual([])
  })

  it('hold each event once for all subscribers', () => {
    const track = createTracker(({ seq }) => String(seq))
    const event = tradeEvent({ seq: 7 })
    const [one, other] = [1, 2].map(() => (track([event]) as unknown as TrackedEvents).items[0])
    expect(one).toEqual({ id: '7', event })
    expect(other).toBe(one)
  })

  it('are left to tRPC for messages without events', () => {
    expect(new SubscriptionFrames().encode({ id: 1, result: { type: 'started' } })).toBeNull()
    expect(new SubscriptionFrames().encode(message(1, { json: null }))).toBeNull()
  })
})
