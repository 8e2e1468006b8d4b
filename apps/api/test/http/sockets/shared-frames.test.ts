import type { Writable } from 'node:stream'
import { tradeEvent } from '@papermoon/live/testing'
import { describe, expect, it } from 'vitest'
import * as ws from 'ws'
import { createTracker, EventFeed } from '../../../src/events/tracked-events.ts'
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

const numbered = (...seqs: number[]) => seqs.map((seq) => ({ id: String(seq), event: tradeEvent({ seq }) }))
const trackBySeq = createTracker(({ seq }) => String(seq))

describe('the frames for subscribers', () => {
  it('hold one message of tRPC for each event, tracked by its id', async () => {
    const texts = await heard(new SubscriptionFrames().encode('{"id":3', numbered(1, 2)), 2)
    expect(texts.map((text) => JSON.parse(text))).toMatchObject([
      { id: 3, result: { type: 'data', id: '1', data: { json: { id: '1', data: { type: 'trade', seq: 1 } } } } },
      { id: 3, result: { type: 'data', id: '2', data: { json: { id: '2', data: { type: 'trade', seq: 2 } } } } },
    ])
  })

  it('are made once for all subscribers with the same id', () => {
    const shared = new SubscriptionFrames()
    const items = numbered(1)
    const first = shared.encode('{"id":1', items)
    expect(shared.encode('{"id":1', [...items])).toBe(first)
    expect(shared.encode('{"id":2', items)).not.toBe(first)
    expect(shared.encode('{"id":1', numbered(1))).not.toBe(first)
  })

  it('are cached up to a megabyte, the latest ones', () => {
    const shared = new SubscriptionFrames()
    // A message contains its id twice.
    const sized = (bytes: number) => {
      const items = [{ id: 'x'.repeat(bytes / 2), event: tradeEvent({ seq: 1 }) }]
      return () => shared.encode('{"id":1', items)
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
    const items = numbered(...Array.from({ length: 500 }, (_, i) => i + 1))
    const page = () => shared.encode('{"id":1', items)
    const made = page()
    for (let seq = 501; seq < 5_000; seq++) shared.encode('{"id":1', numbered(seq))
    expect(page()).toBe(made)
  })
})

describe('tracked events', () => {
  it('leave the list that they came in empty', () => {
    const read = [tradeEvent({ seq: 1 }), tradeEvent({ seq: 2 })]
    expect(trackBySeq(read)).toHaveLength(2)
    expect(read).toEqual([])
  })

  it('are wrapped once for all subscribers', () => {
    const event = tradeEvent({ seq: 7 })
    const [one, other] = [1, 2].map(() => trackBySeq([event])[0])
    expect(one).toEqual({ id: '7', event })
    expect(other).toBe(one)
  })
})

describe('a feed', () => {
  it('sends each group, and ends after the last', async () => {
    async function* groups() {
      yield [tradeEvent({ seq: 1 }), tradeEvent({ seq: 2 })]
      yield [tradeEvent({ seq: 3 })]
    }
    const feed = new EventFeed(groups(), trackBySeq)
    const sent: string[][] = []
    feed.sendTo((items) => sent.push(items.map(({ id }) => id)))
    await feed.ended
    expect(sent).toEqual([['1', '2'], ['3']])
  })

  it('ends its groups once its signal is aborted', async () => {
    const stop = new AbortController()
    let isOver = false
    async function* groups() {
      try {
        for (let seq = 1; ; seq++) yield [tradeEvent({ seq })]
      } finally {
        isOver = true
      }
    }
    const feed = new EventFeed(groups(), trackBySeq, stop.signal)
    const sent: string[] = []
    feed.sendTo(([item]) => {
      sent.push(item?.id ?? '')
      if (sent.length === 3) stop.abort()
    })
    await feed.ended
    expect(sent).toEqual(['1', '2', '3'])
    expect(isOver).toBe(true)
  })

  it('fails with its groups, and where sending does, which ends them', async () => {
    let isOver = false
    async function* groups() {
      try {
        yield [tradeEvent({ seq: 1 })]
        throw new Error('no database')
      } finally {
        isOver = true
      }
    }
    const broken = new EventFeed(groups(), trackBySeq)
    broken.sendTo(() => {})
    await expect(broken.ended).rejects.toThrow('no database')
    isOver = false
    const unsent = new EventFeed(groups(), trackBySeq)
    unsent.sendTo(() => {
      throw new Error('no socket')
    })
    await expect(unsent.ended).rejects.toThrow('no socket')
    expect(isOver).toBe(true)
  })
})
