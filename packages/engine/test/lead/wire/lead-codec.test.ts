import { Decimal, type Sol, type Tokens } from '@papermoon/amm'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  BusyError,
  type DomainError,
  NotBegunError,
  OutcomeUnknownError,
  SlippageExceededError,
  TooManyOrdersError,
} from '../../../src/errors.ts'
import type { MarketEvent, Trade } from '../../../src/events/market-events.ts'
import type { TokenId, UserId } from '../../../src/ids.ts'
import { type Answer, toAnswer, toFailure } from '../../../src/lead/wire/answer-codec.ts'
import { ByteReader, ByteWriter, FrameError, TEXT_MAX } from '../../../src/lead/wire/bytes.ts'
import { encodeFrame, FrameReader, VERSION, VersionError } from '../../../src/lead/wire/frames.ts'
import {
  decodeFollowerMessage,
  decodeLeaderMessage,
  encodeFollowerMessage,
  encodeLeaderMessage,
  type ForwardedOrder,
  type LeaderMessage,
} from '../../../src/lead/wire/messages.ts'
import type { KeyedOrder } from '../../../src/lead/wire/order-codec.ts'
import { FRAME_BYTES_MAX } from '../../../src/lead/wire/protocol.ts'
import type { Receipt } from '../../../src/pending-order.ts'

/** Any amount that fits the columns, and the extremes. */
const amount = fc
  .tuple(fc.bigInt({ min: 0n, max: 10n ** 20n - 1n }), fc.integer({ min: 0, max: 18 }))
  .map(([digits, decimals]) => new Decimal(digits.toString()).div(new Decimal(10).pow(decimals)))
const sol = amount.map((it) => it as Sol)
const tokens = amount.map((it) => it as Tokens)
const decimal = amount.map((it) => it.toFixed())
const id = fc.integer({ min: 1, max: 2_147_483_647 })
const seq = fc.maxSafeNat()
const userId = id.map((it) => it as UserId)
const tokenId = id.map((it) => it as TokenId)
/** Lone surrogates, zeros and letters beyond Latin too. */
const text = fc.oneof(fc.string({ unit: 'binary', maxLength: 200 }), fc.string({ maxLength: 20 }))
const optional = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined })
const error = fc.constantFrom<DomainError>(
  new BusyError(),
  new TooManyOrdersError(8),
  new OutcomeUnknownError('a key'),
  new SlippageExceededError('1', '2 🌕'),
)
const base = {
  userId,
  requestKey: text,
  isBot: optional(fc.boolean()),
  spendingKeyId: optional(id),
  refusal: optional(error),
}
const link = fc.option(text)
const token = fc.record({
  name: text,
  symbol: text,
  emoji: text,
  description: link,
  website: link,
  x: link,
  telegram: link,
})
const order: fc.Arbitrary<KeyedOrder> = fc.oneof(
  fc.record({ ...base, kind: fc.constant('buy' as const), tokenId, sol, minTokensOut: optional(tokens) }),
  fc.record({ ...base, kind: fc.constant('sell' as const), tokenId, tokens, minSolOut: optional(sol) }),
  fc.record({ ...base, kind: fc.constant('launch' as const), token, initialBuy: optional(sol) }),
  fc.record({ ...base, kind: fc.constant('rug' as const), tokenId }),
)
const forwarded: fc.Arbitrary<ForwardedOrder> = fc.record({
  id: fc.integer({ min: 0, max: 4_294_967_295 }),
  isFresh: fc.boolean(),
  order,
})

const who = { userId, username: text, isBot: fc.boolean() }
const trade: fc.Arbitrary<Trade> = fc.record({
  ...who,
  id: seq,
  tokenId,
  seq,
  side: fc.constantFrom('buy', 'sell'),
  solAmount: decimal,
  fee: decimal,
  tokenAmount: decimal,
  price: decimal,
  spotPrice: decimal,
  createdAt: text,
})
const event: fc.Arbitrary<MarketEvent> = fc.oneof(
  fc
    .record({
      trade,
      pool: fc.record({ solReserve: decimal, tokenReserve: decimal, realSol: decimal }),
      currentPrice: decimal,
      marketCap: decimal,
      volume: decimal,
      holding: decimal,
    })
    .map((it) => ({ type: 'trade' as const, tokenId: it.trade.tokenId, seq: it.trade.seq, ...it })),
  fc.record({ ...who, type: fc.constant('rug_pull' as const), tokenId, seq, amount: decimal, createdAt: text }),
  fc.record({
    type: fc.constant('token_launched' as const),
    tokenId,
    seq: fc.constant(0 as const),
    name: text,
    symbol: text,
    emoji: text,
    creator: fc.record({ id: userId, username: text, isBot: fc.boolean() }),
    createdAt: text,
  }),
)

const position = fc.record({ balance: decimal, amount: decimal, cost: decimal })
const repeat = fc.constantFrom({}, { isRepeat: true as const })
const receipt: fc.Arbitrary<Receipt> = fc
  .tuple(
    fc.oneof(
      fc.record({ trade, position }),
      fc.record({ tokenId, initialTrade: fc.option(trade), balance: decimal }),
      fc.record({ tokenId, ruggedAmount: decimal, balance: decimal }),
    ),
    repeat,
  )
  .map(([it, more]) => ({ ...it, ...more }))
const answer: fc.Arbitrary<Answer> = fc.oneof(
  fc.tuple(id, receipt).map(([number, it]) => toAnswer(number, it)),
  fc.tuple(id, error).map(([number, it]) => toFailure(number, it)),
  fc.tuple(id, text).map(([number, it]) => toFailure(number, new Error(it))),
  id.map((number) => toFailure(number, new NotBegunError())),
)
const kind = fc.constantFrom('buy', 'sell', 'launch', 'rug', null)
const leaderMessage: fc.Arbitrary<LeaderMessage> = fc.oneof(
  fc.record({ type: fc.constant('pending' as const), id, kind }),
  fc.record({
    type: fc.constant('heartbeat' as const),
    t: fc.double({ noNaN: true }),
    isLeading: fc.boolean(),
  }),
  fc.record({ type: fc.constant('events' as const), events: fc.array(event, { maxLength: 20 }) }),
  fc.record({ type: fc.constant('answers' as const), answers: fc.array(answer, { maxLength: 20 }) }),
)

/** The only frame of some bytes. */
function unframe(bytes: Buffer): Buffer {
  const [frame, ...more] = new FrameReader(FRAME_BYTES_MAX).push(bytes)
  expect(more).toEqual([])
  return frame as Buffer
}

/** With errors and decimals as what they say, so that those of different classes are equal. */
function toPlain(value: unknown): unknown {
  if (value instanceof Decimal) return value.toFixed()
  if (value instanceof Error) {
    const { code, message, retryAfterS, requestKey } = value as DomainError
    return { code, message, retryAfterS, requestKey }
  }
  if (Array.isArray(value)) return value.map(toPlain)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, toPlain(part)]))
}

describe('orders and answers between two nodes', () => {
  it('arrive as orders were sent, with exact amounts, texts, options and refusals', () => {
    fc.assert(
      fc.property(fc.array(forwarded, { maxLength: 20 }), fc.double({ noNaN: true }), (orders, echo) => {
        const arrived = decodeFollowerMessage(unframe(encodeFollowerMessage({ type: 'orders', echo, orders })))
        expect(toPlain(arrived)).toEqual(toPlain({ type: 'orders', echo, orders }))
      }),
    )
  })

  it('arrive as questions for an order under way', () => {
    fc.assert(
      fc.property(fc.record({ type: fc.constant('question' as const), id, userId, requestKey: text }), (sent) => {
        expect(decodeFollowerMessage(unframe(encodeFollowerMessage(sent)))).toEqual(sent)
      }),
    )
  })

  it('arrive as heartbeats, events and answers were sent', () => {
    fc.assert(
      fc.property(leaderMessage, (sent) => {
        expect(toPlain(decodeLeaderMessage(unframe(encodeLeaderMessage(sent))))).toEqual(toPlain(sent))
      }),
      { numRuns: 300 },
    )
  })

  it('say whether an order was never begun, refused or failed', () => {
    expect(toFailure(1, new NotBegunError())).toEqual({ id: 1, kind: 'declined' })
    expect(toFailure(2, new BusyError())).toMatchObject({ kind: 'refused', error: { code: 'BUSY', retryAfterS: 1 } })
    expect(toFailure(3, new Error('a defect'))).toEqual({ id: 3, kind: 'failed', message: 'a defect' })
  })

  it('refuse to send what they cannot hold, and send the next message whole', () => {
    const sale = { kind: 'rug', userId: 1 as UserId, tokenId: 1 as TokenId, requestKey: 'k' } as const
    const send = (more: Partial<KeyedOrder>) =>
      encodeFollowerMessage({
        type: 'orders',
        echo: 0,
        orders: [{ id: 1, isFresh: true, order: { ...sale, ...more } as KeyedOrder }],
      })
    for (const wrong of [
      { requestKey: 'x'.repeat(TEXT_MAX + 1) },
      { userId: -1 as UserId },
      { tokenId: (2 ** 32) as TokenId },
    ]) {
      expect(() => send(wrong)).toThrow(RangeError)
    }
    expect(decodeFollowerMessage(unframe(send({})))).toMatchObject({ orders: [{ order: sale }] })
  })
})

describe('bytes of a stranger', () => {
  const whole = [
    encodeFollowerMessage({ type: 'orders', echo: 1, orders: fc.sample(forwarded, 5) }),
    ...fc.sample(leaderMessage, 30).map((message) => encodeLeaderMessage(message)),
  ].map(unframe)
  const decode = (frame: Buffer): unknown => {
    try {
      return [decodeFollowerMessage(frame)]
    } catch (failure) {
      if (!(failure instanceof FrameError)) throw failure
    }
    return [decodeLeaderMessage(frame)]
  }

  it('are understood or refused, however a message was changed', () => {
    const change = fc.record({ at: fc.nat(), value: fc.integer({ min: 0, max: 255 }) })
    fc.assert(
      fc.property(fc.nat(), fc.array(change, { minLength: 1, maxLength: 6 }), (which, changes) => {
        const frame = Buffer.from(whole[which % whole.length] as Buffer)
        for (const { at, value } of changes) frame[at % frame.length] = value
        try {
          decode(frame)
        } catch (failure) {
          expect(failure).toBeInstanceOf(FrameError)
        }
      }),
      { numRuns: 3_000 },
    )
  })

  it('are refused at every length but the right one', () => {
    for (const frame of whole) {
      for (let length = 2; length < Math.min(frame.length, 400); length++) {
        expect(() => decode(frame.subarray(0, length))).toThrow(FrameError)
      }
      expect(() => decode(Buffer.concat([frame, Buffer.alloc(1)]))).toThrow(FrameError)
    }
  })

  it('cannot ask for memory by a false number of parts', () => {
    const frame = unframe(encodeLeaderMessage({ type: 'answers', answers: [] }))
    frame.writeUInt32BE(4_000_000_000, 2)
    expect(() => decodeLeaderMessage(frame)).toThrow('does not hold 4000000000 parts')
  })

  it('are refused as another version’s by their version', () => {
    const frame = unframe(encodeLeaderMessage({ type: 'events', events: [] }))
    frame[0] = VERSION + 1
    expect(() => decodeLeaderMessage(frame)).toThrow(VersionError)
  })
})

describe('frames', () => {
  const frame = (content: string) => encodeFrame(new ByteWriter(), 7, (to) => to.texts([content]))

  it('arrive whole and in order, however their bytes are cut', () => {
    const cuts = fc.array(fc.integer({ min: 1, max: 50 }), { minLength: 1 })
    fc.assert(
      fc.property(fc.array(text, { maxLength: 20 }), cuts, (sent, lengths) => {
        const bytes = Buffer.concat(sent.map(frame))
        const reader = new FrameReader(1_048_576)
        const arrived: unknown[] = []
        for (let at = 0, i = 0; at < bytes.length; i++) {
          const end = at + (lengths[i % lengths.length] as number)
          for (const part of reader.push(bytes.subarray(at, end)))
            arrived.push(new ByteReader(part.subarray(2)).texts(1)[0])
          at = end
        }
        expect(arrived).toEqual(sent)
      }),
    )
  })

  it('are refused when they are too long or too short', () => {
    expect(() => new FrameReader(10).push(frame('longer than ten bytes'))).toThrow(FrameError)
    expect(() => new FrameReader(10).push(Buffer.from([0, 0, 0, 1, 0]))).toThrow(FrameError)
  })

  it('of many sizes share memory and keep their content', () => {
    const writer = new ByteWriter()
    const contents = Array.from({ length: 200 }, (_, i) => 'é🌕x'.charAt(i % 4).repeat((i * 997) % 5_000))
    const frames = contents.map((content) => encodeFrame(writer, 1, (to) => to.texts([content])))
    expect(frames.map((it) => new ByteReader(it.subarray(6)).texts(1)[0])).toEqual(contents)
  })
})
