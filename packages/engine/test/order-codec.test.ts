import { Decimal } from '@papermoon/amm'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  BusyError,
  NotBegunError,
  OutcomeUnknownError,
  SlippageExceededError,
  TooManyOrdersError,
} from '../src/errors.ts'
import type { TokenId, UserId } from '../src/ids.ts'
import { encodeFrame, FrameError, FrameReader } from '../src/lead/frames.ts'
import { decodeError, decodeOrder, encodeError, encodeFailure, encodeOrder } from '../src/lead/order-codec.ts'
import type { Order } from '../src/orders.ts'

/** Any amount that fits the columns, and the extremes. */
const amount = fc
  .tuple(fc.bigInt({ min: 0n, max: 10n ** 20n - 1n }), fc.integer({ min: 0, max: 18 }))
  .map(([digits, decimals]) => new Decimal(digits.toString()).div(new Decimal(10).pow(decimals)))
const id = fc.integer({ min: 1, max: 2_147_483_647 })
const text = fc.string({ unit: 'binary', maxLength: 200 })
const optional = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined })
const base = {
  userId: id.map((it) => it as UserId),
  requestKey: optional(text),
  isBot: optional(fc.boolean()),
  refusal: optional(fc.constantFrom(new BusyError(), new TooManyOrdersError(8), new OutcomeUnknownError('a key'))),
}
const tokenId = id.map((it) => it as TokenId)
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
const order: fc.Arbitrary<Order> = fc.oneof(
  fc.record({ ...base, kind: fc.constant('buy' as const), tokenId, sol: amount, minTokensOut: optional(amount) }),
  fc.record({ ...base, kind: fc.constant('sell' as const), tokenId, tokens: amount, minSolOut: optional(amount) }),
  fc.record({ ...base, kind: fc.constant('launch' as const), token, initialBuy: optional(amount) }),
  fc.record({ ...base, kind: fc.constant('rug' as const), tokenId }),
)

/** Through a frame, as between two nodes. */
const send = (value: unknown): unknown => new FrameReader(1_048_576).push(encodeFrame(value))[0]

describe('an order between two nodes', () => {
  it('arrives as it was sent, with exact amounts and its refusal', () => {
    fc.assert(
      fc.property(order, (sent) => {
        const arrived = decodeOrder(send(encodeOrder(sent)) as ReturnType<typeof encodeOrder>)
        for (const name of new Set([...Object.keys(sent), ...Object.keys(arrived)])) {
          const [before, after] = [sent[name as keyof Order], arrived[name as keyof Order]] as unknown[]
          if (before instanceof Decimal) expect((after as Decimal).eq(before)).toBe(true)
          else if (before instanceof Error) expect(encodeError(after as never)).toEqual(encodeError(before as never))
          else expect(after).toEqual(before)
        }
      }),
      { numRuns: 500 },
    )
  })

  it('is not sent if it has a field that JSON would lose', () => {
    const sale = { kind: 'rug', userId: 1 as UserId, tokenId: 1 as TokenId } as const
    for (const lost of [new Map(), () => 1, Number.NaN, 10n, new Date(), [new Decimal(1)]]) {
      expect(() => encodeOrder({ ...sale, more: lost } as Order)).toThrow('cannot be forwarded')
    }
  })
})

describe('an answer between two nodes', () => {
  it('keeps code, sentence, pause and key of a rule’s error', () => {
    for (const error of [
      new SlippageExceededError('1', '2'),
      new TooManyOrdersError(8),
      new OutcomeUnknownError('k'),
    ]) {
      const arrived = decodeError(send(encodeError(error)) as ReturnType<typeof encodeError>)
      expect(encodeError(arrived)).toEqual(JSON.parse(JSON.stringify(encodeError(error))))
      expect(arrived).toBeInstanceOf(Error)
    }
  })

  it('says whether an order was never begun, refused or failed', () => {
    expect(encodeFailure(1, new NotBegunError())).toEqual([1, 'declined'])
    expect(encodeFailure(2, new BusyError())).toMatchObject([2, 'refused', { code: 'BUSY', retryAfterS: 1 }])
    expect(encodeFailure(3, new Error('a defect'))).toEqual([3, 'failed', 'a defect'])
  })
})

describe('frames', () => {
  it('arrive whole and in order, however their bytes are cut', () => {
    const values = fc.array(fc.jsonValue(), { maxLength: 20 })
    fc.assert(
      fc.property(values, fc.array(fc.integer({ min: 1, max: 50 }), { minLength: 1 }), (sent, cuts) => {
        const bytes = Buffer.concat(sent.map(encodeFrame))
        const reader = new FrameReader(1_048_576)
        const arrived: unknown[] = []
        for (let at = 0, i = 0; at < bytes.length; i++) {
          const end = at + (cuts[i % cuts.length] as number)
          arrived.push(...reader.push(bytes.subarray(at, end)))
          at = end
        }
        expect(arrived).toEqual(JSON.parse(JSON.stringify(sent)))
      }),
    )
  })

  it('are refused when they are too long or no JSON', () => {
    expect(() => new FrameReader(10).push(encodeFrame('longer than ten bytes'))).toThrow(FrameError)
    expect(() => new FrameReader(10).push(Buffer.from([0, 0, 0, 1, 0x7b]))).toThrow(FrameError)
  })
})
