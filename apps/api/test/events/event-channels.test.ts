import type { Writable } from 'node:stream'
import type { PostEvent } from '@papermoon/contract/posts'
import { tradeEvent } from '@papermoon/live/testing'
import { pino } from 'pino'
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import * as ws from 'ws'
import type { PlacedEvent, StreamEvent } from '../../src/events/journal.ts'
import {
  Channels,
  DEFAULT_FILTER,
  type EventFormat,
  type Subscriber,
  toResumePositions,
} from '../../src/events/stream/channels.ts'
import { EventStream, PacedRounds } from '../../src/events/stream/event-stream.ts'
import { TokenNames } from '../../src/events/stream/event-text.ts'
import { LiveSubscription } from '../../src/events/stream/live-subscription.ts'
import { toTextFrames, toTrpcFormat } from '../../src/http/sockets/socket-outlet.ts'
import { WAIT_MAX_MS } from '../support/wait.ts'

afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

/** `Receiver` is a public export of ws, but its types lack it. */
const { Receiver } = ws as unknown as { Receiver: new (options: { isServer: boolean }) => Writable }
const range = (count: number) => Array.from({ length: count }, (_, i) => i)

/** Decodes the frames like a client, and returns the texts. */
async function heard(bytes: Buffer, count: number): Promise<string[]> {
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

it('text frames of every length are received as the same texts, one message each', async () => {
  const texts = ['a', 'é'.repeat(62), 'b'.repeat(125), 'c'.repeat(126), 'd'.repeat(65_535), 'e'.repeat(65_536)]
  expect(await heard(toTextFrames(texts), texts.length)).toEqual(texts)
})

/** Returns a stream, and a function that delivers events to it. */
function openStream() {
  let tell: (placed: PlacedEvent) => void = () => {}
  const feed = {
    position: 0,
    onPlaced: (listener: typeof tell) => {
      tell = listener
      return () => {}
    },
    isHidden: () => false,
  }
  const cursors = { format: (position: number) => `after ${position}` }
  const stream = new EventStream({ feed, cursors, log: pino({ level: 'silent' }), db: {} } as never)
  onTestFinished(() => stream.close())
  const deliver = (event: StreamEvent) => {
    feed.position++
    tell({ place: feed.position, event })
  }
  return { stream, deliver }
}

it('the cursor does not include an event that was delivered but not sent yet', async () => {
  const { stream, deliver } = openStream()
  expect(stream.cursor).toBe('after 0')
  deliver(tradeEvent({ seq: 1 }))
  expect(stream.cursor).toBe('after 0')
  await vi.waitFor(() => expect(stream.cursor).toBe('after 1'), WAIT_MAX_MS)
})

it('events that arrive during a round are sent in the next one, to every subscriber', async () => {
  const { stream, deliver } = openStream()
  const heard: string[] = []
  const close = vi.fn<() => void>()
  const format: EventFormat = {
    name: 'numbers',
    isNamed: false,
    toBytes: (texts) => Buffer.from(texts.join()),
    toText: ({ event }) => (event?.type === 'trade' ? String(event.seq) : ''),
  }
  // A step writes to at most 64 subscribers, so the first round of 65 takes more than one turn of the event loop.
  for (let i = 0; i < 65; i++) {
    stream.subscribe(DEFAULT_FILTER, { format, close, receive: (bytes) => heard.push(`${i}: ${bytes}`) })
  }
  deliver(tradeEvent({ seq: 1 }))
  await Promise.resolve()
  expect(heard).toHaveLength(64)
  deliver(tradeEvent({ seq: 2 }))
  expect(stream.cursor).toBe('after 0')
  await vi.waitFor(() => expect(heard).toHaveLength(130), WAIT_MAX_MS)
  await vi.waitFor(() => expect(stream.cursor).toBe('after 2'), WAIT_MAX_MS)
  expect(close).not.toHaveBeenCalled()
})

it('subscribers are closed as too slow if events were dropped before they were sent', async () => {
  const { stream, deliver } = openStream()
  const close = vi.fn<(reason?: string) => void>()
  const format = { name: 'none', isNamed: false, toBytes: () => Buffer.from(''), toText: () => '' }
  for (let i = 0; i < 65; i++) stream.subscribe(DEFAULT_FILTER, { format, close, receive: () => {} })
  for (let seq = 1; seq <= 20_001; seq++) deliver(tradeEvent({ seq }))
  expect(new Set(close.mock.calls.map(([reason]) => reason))).toEqual(new Set(['too_slow']))
})

it('each event’s resume position is the last one before the next event that was not sent yet', () => {
  const events = [3, 4, 7].map((place) => ({ place, event: tradeEvent({ seq: place }) }))
  const toList = (through: number) => [...toResumePositions({ events, through })].map(([{ place }, at]) => [place, at])
  expect(toList(9)).toEqual([
    [7, 9],
    [4, 6],
    [3, 3],
  ])
  // A post at position 2 still waits, so no event may resume after it.
  expect(toList(1)).toEqual([
    [7, 1],
    [4, 1],
    [3, 1],
  ])
})

it.each(['as it happens', 'when resuming'])(
  'an order is sent to its player alone, and a lobby’s post to subscribers that named the lobby, %s',
  async (how) => {
    vi.useFakeTimers()
    const { stream, deliver } = openStream()
    const toOrder = (userId: number) => ({ type: 'order', tokenId: 1, userId, order: {} })
    const events = [toOrder(1), toOrder(2), { type: 'post', tokenId: -9, post: {} }] as never[]
    const format: EventFormat = {
      name: 'whose',
      isNamed: false,
      toBytes: (texts) => Buffer.from(`[${texts.join()}]`),
      toText: ({ event }) => (event?.type === 'order' ? String(event.userId) : '"lobby"'),
    }
    const heardBy = [{}, { player: 1 }, { player: 2 }, { tokens: [-9] }].map((wish) => {
      const heard: unknown[] = []
      const receive = (bytes: Buffer) => heard.push(...JSON.parse(bytes.toString()))
      const filter = { ...DEFAULT_FILTER, kinds: new Set(['order', 'post'] as const), ...wish }
      if (how === 'as it happens') stream.subscribe(filter, { format, receive, close: () => {} })
      else
        stream.sendTo({ format, receive, close: () => {} }, filter, {
          events: events.map((event, i) => ({ place: i + 1, event })),
          through: events.length,
        })
      return heard
    })
    for (const event of events) deliver(event)
    await vi.advanceTimersByTimeAsync(1_000)
    expect(heardBy).toEqual([[], [1], [2], ['lobby']])
  },
)

describe('posts', () => {
  const writes: number[][] = []
  const format: EventFormat = {
    name: 'ids',
    isNamed: false,
    toBytes: (texts) => Buffer.from(`[${texts.join()}]`),
    toText: ({ event }) => (event?.type === 'post' ? String(event.post.id) : '0'),
  }
  const subscriber = { format, receive: (bytes: Buffer) => writes.push(JSON.parse(bytes.toString())), close: () => {} }
  const post = (id: number) => ({ type: 'post', tokenId: 1, post: { id } }) as PostEvent

  function listen() {
    vi.useFakeTimers()
    writes.length = 0
    const { stream, deliver } = openStream()
    stream.subscribe({ ...DEFAULT_FILTER, kinds: new Set(['post', 'trade']) }, subscriber)
    return { stream, deliver, write: (...ids: readonly number[]) => ids.forEach((id) => void deliver(post(id))) }
  }

  it('are sent at once, and in one message if one soon follows another', async () => {
    const { write } = listen()
    write(1, 2, 3)
    await vi.advanceTimersByTimeAsync(0)
    expect(writes).toEqual([[1]])
    await vi.advanceTimersByTimeAsync(1_000)
    expect(writes).toEqual([[1], [2, 3]])
    write(4)
    await vi.advanceTimersByTimeAsync(0)
    expect(writes).toEqual([[1], [2, 3], [4]])
  })

  it('from before a subscription are not sent to the new subscriber', async () => {
    const { stream, write } = listen()
    write(1, 2)
    const later: Buffer[] = []
    const filter = { ...DEFAULT_FILTER, kinds: new Set(['post'] as const) }
    stream.subscribe(filter, { ...subscriber, receive: (bytes) => void later.push(bytes) })
    write(3)
    await vi.advanceTimersByTimeAsync(1_000)
    expect(writes.flat()).toEqual([1, 2, 3])
    expect(later.map(String)).toEqual(['[3]'])
  })

  it('that wait are included if a subscriber resumes', () => {
    const { stream, write } = listen()
    write(1, 2, 3)
    expect(stream.readBuffered(0, 10)).toMatchObject({ through: 3, isLast: true })
  })

  it('are not included in a cursor while they wait', async () => {
    const { stream, write, deliver } = listen()
    write(1, 2)
    deliver(tradeEvent({ seq: 1 }))
    await vi.advanceTimersByTimeAsync(0)
    expect([writes, stream.cursor]).toEqual([[[1, 0]], 'after 1'])
    await vi.advanceTimersByTimeAsync(1_000)
    expect([writes, stream.cursor]).toEqual([[[1, 0], [2]], 'after 3'])
  })
})

describe('the bytes for subscribers', () => {
  const numbered = (from: number, to: number) =>
    range(to - from + 1).map((i) => ({ place: from + i, event: tradeEvent({ seq: from + i }) }))
  const cursors = { format: (position: number) => `after ${position}` }
  const channels = () => new Channels(new TokenNames({} as never), cursors)
  const group = (from: number, to: number) => ({ events: numbered(from, to), through: to })
  const subscribe = (id: number, ids: 'seq' | 'cursor' = 'seq') => {
    const got: Buffer[] = []
    const subscriber: Subscriber = { format: toTrpcFormat({ id }, ids), receive: (it) => got.push(it), close: () => {} }
    return { got, subscriber }
  }
  const sendAll = (to: Channels, ...parts: Parameters<Channels['send']>) => {
    const { writes, count: expected } = to.send(...parts)
    let count = 0
    while (writes.next().done !== true) count++
    expect(count).toBe(expected)
    return count
  }

  it('contain one tRPC message per event, whose id is the sequence number or the cursor', async () => {
    const all = channels()
    const [token, market] = [subscribe(3), subscribe(4, 'cursor')]
    const events = numbered(1, 2).map(({ event }) => event)
    all.add({ ...DEFAULT_FILTER, tokens: events.map(({ tokenId }) => tokenId) }, token.subscriber)
    all.add(DEFAULT_FILTER, market.subscriber)
    expect(sendAll(all, group(1, 2))).toBe(2)
    const read = async (bytes: Buffer | undefined, count: number) =>
      (await heard(bytes ?? Buffer.alloc(0), count)).map((text) => JSON.parse(text))
    expect(await read(token.got[0], 2)).toEqual(
      events.map((event, i) => {
        const id = String(i + 1)
        return { id: 3, result: { type: 'data', id, data: { json: { id, data: event } } } }
      }),
    )
    expect(await read(market.got[0], 2)).toMatchObject([{ result: { id: 'after 1' } }, { result: { id: 'after 2' } }])
  })

  it('are made once for all subscribers with the same filter and id', () => {
    const all = channels()
    const [one, same, other] = [subscribe(1), subscribe(1), subscribe(2)]
    for (const { subscriber } of [one, same, other]) all.add(DEFAULT_FILTER, subscriber)
    sendAll(all, group(1, 1))
    expect(same.got[0]).toBe(one.got[0])
    expect(other.got[0]).not.toEqual(one.got[0])
    for (const page of [group(1, 99), group(1, 100)]) {
      for (const { subscriber } of [one, same, other]) all.sendTo(subscriber, page)
    }
    expect(same.got[1]).not.toBe(one.got[1])
    // Pages of the journal of the same range share their bytes too.
    expect(same.got[2]).toBe(one.got[2])
    expect(other.got[2]).not.toEqual(one.got[2])
    all.sendTo(one.subscriber, group(1, 100))
    expect(one.got[3]).not.toBe(one.got[2])
  })

  it('reach subscribers that join or leave during a round exactly once', () => {
    const all = channels()
    const [stays, leaves, joins] = [subscribe(1), subscribe(1), subscribe(1)]
    all.add(DEFAULT_FILTER, stays.subscriber)
    const leave = all.add(DEFAULT_FILTER, leaves.subscriber)
    const { writes } = all.send(group(1, 1))
    all.add(DEFAULT_FILTER, joins.subscriber)
    while (writes.next().done !== true);
    leave()
    sendAll(all, group(2, 2))
    expect([stays, leaves, joins].map(({ got }) => got.length)).toEqual([2, 1, 1])
    expect(all.size).toBe(2)
  })
})

describe('a round', () => {
  /** Runs a round of this many writes. Returns how many of them ran in each turn of the event loop. */
  async function run(count: number): Promise<number[]> {
    const turns: number[] = []
    let current = -1
    let turn = 0
    function* write() {
      for (let i = 0; i < count; i++) {
        if (turn !== current) {
          turns.push(0)
          current = turn
          setImmediate(() => turn++)
        }
        turns[turns.length - 1] = (turns.at(-1) ?? 0) + 1
        yield
      }
    }
    await new Promise<void>((resolve) => new PacedRounds().run(write(), count, resolve))
    return turns
  }

  it.each([
    [64, 64],
    [65, 64],
    [200, 64],
    [512, 64],
    [5_000, 625],
  ])('of %i writes has at most %i in one step, and other work runs between steps', async (count, together) => {
    const turns = await run(count)
    expect(turns.reduce((sum, some) => sum + some)).toBe(count)
    expect(Math.max(...turns)).toBe(together)
  })

  it('that is spread rests after each step, but does not rest twice at its end', async () => {
    let nowMs = 0
    vi.spyOn(performance, 'now').mockImplementation(() => nowMs)
    vi.useFakeTimers({ toFake: ['setTimeout'] })
    let written = 0
    function* write() {
      for (; written < 192; written++) {
        // At this speed, a step of 64 writes takes 2 ms.
        nowMs += 1 / 32
        yield
      }
    }
    const end = vi.fn()
    const rounds = new PacedRounds()
    rounds.run(write(), 192, end, { isSpread: true })
    expect(written).toBe(63)
    for (const [restMs, after] of [
      [7, 63],
      [1, 127],
      [8, 191],
      [8, 192],
    ] as const) {
      await vi.advanceTimersByTimeAsync(restMs)
      expect(written).toBe(after)
    }
    expect(end).toHaveBeenCalledOnce()
    const next = vi.fn()
    rounds.schedule(next)
    await vi.advanceTimersByTimeAsync(0)
    expect(next).toHaveBeenCalledOnce()
  })

  it.each([
    ['as long as it took', 2, 2],
    ['250 ms at most', 300, 250],
  ])('is followed by a rest: %s', async (_, roundMs, restMs) => {
    let nowMs = 0
    vi.spyOn(performance, 'now').mockImplementation(() => nowMs)
    vi.useFakeTimers({ toFake: ['setTimeout'] })
    const rounds = new PacedRounds()
    const first = vi.fn()
    rounds.schedule(first)
    await Promise.resolve()
    expect(first).toHaveBeenCalledOnce()
    function* write() {
      nowMs += roundMs
      yield
    }
    rounds.run(write(), 1, () => {})
    const late = vi.fn()
    rounds.schedule(late)
    await vi.advanceTimersByTimeAsync(restMs - 1)
    expect(late).not.toHaveBeenCalled()
    await vi.advanceTimersByTimeAsync(1)
    expect(late).toHaveBeenCalledOnce()
  })
})

describe('a live subscription', () => {
  it('ends with its signal', async () => {
    const stop = new AbortController()
    const subscription = new LiveSubscription('seq', async () => {}, stop.signal)
    subscription.sendTo({} as never)
    expect(subscription.signal.aborted).toBe(false)
    stop.abort()
    await subscription.ended
    expect(subscription.signal.aborted).toBe(true)
  })

  it('fails with the stream that it follows', async () => {
    const broken = new LiveSubscription('seq', () => Promise.reject(new Error('no database')), undefined)
    broken.sendTo({} as never)
    await expect(broken.ended).rejects.toThrow('no database')
    expect(broken.signal.aborted).toBe(true)
  })
})
