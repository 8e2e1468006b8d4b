import type { Writable } from 'node:stream'
import type { PostEvent } from '@papermoon/contract/posts'
import type { MarketEvent } from '@papermoon/engine'
import { tradeEvent } from '@papermoon/live/testing'
import { pino } from 'pino'
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import * as ws from 'ws'
import { Channels, type EventFormat, type Subscriber } from '../../src/events/stream/channels.ts'
import { DEFAULT_FILTER } from '../../src/events/stream/event-filter.ts'
import { EventStream } from '../../src/events/stream/event-stream.ts'
import { LiveSubscription } from '../../src/events/stream/live-subscription.ts'
import { PacedRounds } from '../../src/events/stream/paced-rounds.ts'
import { TokenNames } from '../../src/events/stream/token-names.ts'
import { toTextFrames, toTrpcFormat } from '../../src/http/sockets/event-formats.ts'
import { WAIT_MAX_MS } from '../support/wait.ts'

afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

/** Public in ws, but missing in its types. */
const { Receiver } = ws as unknown as { Receiver: new (options: { isServer: boolean }) => Writable }
const range = (count: number) => Array.from({ length: count }, (_, i) => i)

/** The texts that a client receives from frames. */
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

it('text frames are received as the texts they hold, one message each, at every length', async () => {
  const texts = ['a', 'é'.repeat(62), 'b'.repeat(125), 'c'.repeat(126), 'd'.repeat(65_535), 'e'.repeat(65_536)]
  expect(await heard(toTextFrames(texts), texts.length)).toEqual(texts)
})

/** A stream with the functions that deliver to it. */
function openStream() {
  let deliver: (event: MarketEvent) => void = () => {}
  let deliverPost: (event: PostEvent) => void = () => {}
  const feed = {
    onEvent: (listener: typeof deliver) => {
      deliver = listener
      return () => {}
    },
    onPost: (listener: typeof deliverPost) => {
      deliverPost = listener
      return () => {}
    },
    onOrder: () => () => {},
    isHidden: () => false,
    getSeq: () => 0,
  }
  const cursors = { format: ({ entry }: { readonly entry: number }) => `after ${entry}` }
  const stream = new EventStream({ feed, cursors, log: pino({ level: 'silent' }), db: {} } as never)
  onTestFinished(() => stream.close())
  return { stream, deliver, deliverPost }
}

it('the place to resume at covers no event that was delivered and not sent yet', async () => {
  const { stream, deliver } = openStream()
  stream.settle({ entry: 1, tokenId: 0 }, stream.mark())
  const mark = stream.mark()
  deliver(tradeEvent({ seq: 1 }))
  stream.settle({ entry: 2, tokenId: 0 }, mark)
  expect(stream.cursor).toBe('after 1')
  await vi.waitFor(() => expect(stream.cursor).toBe('after 2'), WAIT_MAX_MS)
})

it('a place that waits is not put off by a later one', async () => {
  const { stream, deliver } = openStream()
  deliver(tradeEvent({ seq: 1 }))
  for (const entry of [1, 2]) stream.settle({ entry, tokenId: 0 }, stream.mark())
  await vi.waitFor(() => expect(stream.cursor).not.toBe(''), WAIT_MAX_MS)
  expect(stream.cursor).toBe('after 1')
})

it('the first place to resume at drops no event that waits for the round before it', async () => {
  const { stream, deliver } = openStream()
  const heard: string[] = []
  const close = vi.fn<() => void>()
  const format: EventFormat = {
    name: 'numbers',
    isNamed: false,
    toBytes: (texts) => Buffer.from(texts.join()),
    toText: ({ event }) => (event?.type === 'trade' ? String(event.seq) : ''),
  }
  // More than one step writes to, so the first round lasts longer than a turn.
  for (let i = 0; i < 65; i++) {
    stream.subscribe(DEFAULT_FILTER, { format, close, receive: (bytes) => heard.push(`${i}: ${bytes}`) })
  }
  deliver(tradeEvent({ seq: 1 }))
  await Promise.resolve()
  expect(heard).toHaveLength(64)
  stream.settle({ entry: 1, tokenId: 0 }, stream.mark())
  deliver(tradeEvent({ seq: 2 }))
  await vi.waitFor(() => expect(heard).toHaveLength(130), WAIT_MAX_MS)
  expect(close).not.toHaveBeenCalled()
  expect(stream.cursor).toBe('after 1')
})

it.each(['as it happens', 'to whoever resumes'])(
  'an order is told to its player alone, and a lobby’s post to who named it, %s',
  async (how) => {
    vi.useFakeTimers()
    const { stream } = openStream()
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
      else stream.sendTo({ format, receive, close: () => {} }, filter, { events, cursor: '' })
      return heard
    })
    for (const event of events) stream.add(event)
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
    const { stream, deliver, deliverPost } = openStream()
    stream.subscribe({ ...DEFAULT_FILTER, kinds: new Set(['post', 'trade']) }, subscriber)
    return { stream, deliver, write: (...ids: readonly number[]) => ids.forEach((id) => void deliverPost(post(id))) }
  }

  it('reach a listener at once, and together where one soon follows another', async () => {
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

  it('hold up no trade', async () => {
    const { write, deliver } = listen()
    write(1, 2)
    deliver(tradeEvent({ seq: 1 }))
    await vi.advanceTimersByTimeAsync(0)
    expect(writes).toEqual([[1, 0]])
  })

  it('of before a listener came are not sent to it', async () => {
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

  it('that wait are among those that a resuming listener reads', () => {
    const { stream, write } = listen()
    write(1, 2, 3)
    expect(stream.readKept(0, 10)).toMatchObject({ next: 3, isLast: true })
  })

  it('are sent before a place to resume at may cover them', async () => {
    const { stream, write } = listen()
    write(1, 2, 3)
    stream.settle({ entry: 1, tokenId: 0 }, stream.mark())
    expect(stream.cursor).toBe('')
    await vi.advanceTimersByTimeAsync(0)
    expect([writes, stream.cursor]).toEqual([[[1, 2, 3]], 'after 1'])
  })
})

describe('the bytes for subscribers', () => {
  const numbered = (from: number, to: number) => range(to - from + 1).map((i) => tradeEvent({ seq: from + i }))
  const channels = () => new Channels(new TokenNames({} as never))
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

  it('hold one message of tRPC for each event, tracked by its number, its place, or its time', async () => {
    const all = channels()
    const [token, market] = [subscribe(3), subscribe(4, 'cursor')]
    const events = numbered(1, 2)
    all.add({ ...DEFAULT_FILTER, tokens: events.map(({ tokenId }) => tokenId) }, token.subscriber)
    all.add(DEFAULT_FILTER, market.subscriber)
    expect(sendAll(all, events, 'place')).toBe(2)
    sendAll(all, numbered(3, 3), '')
    const read = async (bytes: Buffer | undefined, count: number) =>
      (await heard(bytes ?? Buffer.alloc(0), count)).map((text) => JSON.parse(text))
    expect(await read(token.got[0], 2)).toEqual(
      events.map((event, i) => {
        const id = String(i + 1)
        return { id: 3, result: { type: 'data', id, data: { json: { id, data: event } } } }
      }),
    )
    expect(await read(market.got[0], 2)).toMatchObject([{ result: { id: 'place' } }, { result: { id: 'place' } }])
    const [last] = numbered(3, 3)
    const time = last?.type === 'trade' ? last.trade.createdAt : ''
    expect(await read(market.got[1], 1)).toMatchObject([{ result: { id: time } }])
  })

  it('are made once for all that want the same under the same id', () => {
    const all = channels()
    const [one, same, other] = [subscribe(1), subscribe(1), subscribe(2)]
    for (const { subscriber } of [one, same, other]) all.add(DEFAULT_FILTER, subscriber)
    sendAll(all, numbered(1, 1), '')
    expect(same.got[0]).toBe(one.got[0])
    expect(other.got[0]).not.toEqual(one.got[0])
    for (const seqs of [numbered(1, 99), numbered(1, 100)]) {
      for (const { subscriber } of [one, same, other])
        all.sendTo(subscriber, DEFAULT_FILTER, { events: seqs, cursor: '' })
    }
    expect(same.got[1]).not.toBe(one.got[1])
    // A page of the journal.
    expect(same.got[2]).toBe(one.got[2])
    expect(other.got[2]).not.toEqual(one.got[2])
    all.sendTo(one.subscriber, DEFAULT_FILTER, { events: numbered(1, 100), cursor: '' })
    expect(one.got[3]).not.toBe(one.got[2])
  })

  it('reach nobody who joins or leaves during a round twice, or not at all', () => {
    const all = channels()
    const [stays, leaves, joins] = [subscribe(1), subscribe(1), subscribe(1)]
    all.add(DEFAULT_FILTER, stays.subscriber)
    const leave = all.add(DEFAULT_FILTER, leaves.subscriber)
    const { writes } = all.send(numbered(1, 1), '')
    all.add(DEFAULT_FILTER, joins.subscriber)
    while (writes.next().done !== true);
    leave()
    sendAll(all, numbered(2, 2), '')
    expect([stays, leaves, joins].map(({ got }) => got.length)).toEqual([2, 1, 1])
    expect(all.size).toBe(2)
  })
})

describe('a round', () => {
  /** Runs a round of so many writes; returns how many ran in each turn of the event loop. */
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
  ])('of %i writes has at most %i in one step, with others between', async (count, together) => {
    const turns = await run(count)
    expect(turns.reduce((sum, some) => sum + some)).toBe(count)
    expect(Math.max(...turns)).toBe(together)
  })

  it('that is spread rests after each step, and not once more at its end', async () => {
    let nowMs = 0
    vi.spyOn(performance, 'now').mockImplementation(() => nowMs)
    vi.useFakeTimers({ toFake: ['setTimeout'] })
    let written = 0
    function* write() {
      for (; written < 192; written++) {
        // A step of 64 takes 2 ms.
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

  it('fails with what it follows', async () => {
    const broken = new LiveSubscription('seq', () => Promise.reject(new Error('no database')), undefined)
    broken.sendTo({} as never)
    await expect(broken.ended).rejects.toThrow('no database')
    expect(broken.signal.aborted).toBe(true)
  })
})
