import fc from 'fast-check'
import type { Act } from './model-market.ts'
import type { RefMarket } from './reference.ts'

export const PLAYERS = 4
/** The balance of each player in lamports. */
export const SOL = 100n * 10n ** 9n

/** Generates a random act. Its amounts and prices are shares of the current ones when the act is carried out. */
export const anyDrawn = fc.record({
  kind: fc.constantFrom('buy', 'sell', 'buy', 'sell', 'limit', 'sale', 'stop', 'bracket', 'limit', 'stop', 'cancel'),
  player: fc.nat(PLAYERS - 1),
  share: fc.oneof(fc.integer({ min: 1, max: 1_000 }), fc.constant(1_000), fc.integer({ min: 1, max: 20 })),
  /** Price in thousandths of the current price. There are few values, so that several orders have the same price. */
  price: fc.constantFrom(400, 700, 900, 950, 990, 996, 998, 1_002, 1_004, 1_010, 1_050, 1_200, 1_600, 3_000),
  least: fc.constantFrom(null, null, 500, 900, 998, 1_000),
  id: fc.nat(30),
})
export type Drawn = typeof anyDrawn extends fc.Arbitrary<infer T> ? T : never

const draw = (kind: Drawn['kind'], player: number, share: number, price: Drawn['price'] = 400): Drawn => {
  return { kind, player, share, price, least: null, id: 0 }
}
/**
 * Example: a bracket's target fills in a cascade that passes its stop. The stop is then above the price, and due in the
 * next cascade.
 */
export const PASSED_BY = [
  [draw('buy', 0, 955)],
  [draw('buy', 1, 11)],
  [draw('bracket', 0, 2, 950), draw('limit', 1, 7, 1_010)],
  [draw('buy', 0, 1)],
  [draw('stop', 0, 1)],
  [draw('buy', 0, 1_000)],
  [draw('stop', 0, 9, 998), draw('buy', 0, 1_000)],
  [draw('buy', 0, 1), draw('buy', 0, 1)],
]

/** Example: a stop whose player has too few tokens is triggered, and then cancelled for that reason. */
export const SHORT_STOP = [
  [draw('buy', 1, 175)],
  [draw('buy', 0, 3), draw('buy', 0, 1)],
  [draw('bracket', 1, 1), draw('buy', 0, 1)],
  [draw('stop', 1, 4), draw('stop', 1, 13, 1_004), draw('sell', 1, 983)],
  [draw('buy', 0, 1)],
  [draw('buy', 0, 1_000)],
  [draw('buy', 0, 1)],
  [draw('buy', 0, 1)],
]

/** Rounds prices to a grid, so that triggers are sometimes equal. */
const toPrice = (spot: bigint, perMille: number) => {
  const grid = 10n ** BigInt(Math.max(0, spot.toString().length - 3))
  return ((spot * BigInt(perMille)) / 1_000n / grid) * grid
}

export function toAct(market: RefMarket, { kind, player, share, price, least, id }: Drawn): Act | null {
  const [sol, tokens] = [market.sol[player] ?? 0n, market.tokens[player] ?? 0n]
  const part = (whole: bigint) => (whole * BigInt(share)) / 1_000n
  if (kind === 'cancel') return { act: 'cancel', player, id }
  if (kind === 'buy') return sol < 1_000n ? null : { act: 'trade', player, side: 'buy', amount: part(sol) + 1n }
  if (kind === 'sell') return tokens === 0n ? null : { act: 'trade', player, side: 'sell', amount: part(tokens) + 1n }
  const limit = toPrice(market.spot, price)
  const none = { price: null, stopPrice: null, leastPrice: null }
  if (limit === 0n) return null
  if (kind === 'limit')
    return { act: 'place', placed: { ...none, player, kind: 'buy', price: limit, amount: part(sol) + 1n } }
  const amount = part(tokens) + 1n
  if (kind === 'sale') return { act: 'place', placed: { ...none, player, kind: 'sale', price: limit, amount } }
  const stopPrice = toPrice(market.spot, Math.min(price, 999))
  const leastPrice = least === null ? null : (stopPrice * BigInt(least)) / 1_000n
  if (kind === 'stop') return { act: 'place', placed: { ...none, player, kind: 'stop', stopPrice, leastPrice, amount } }
  const target = toPrice(market.spot, Math.max(price, 1_002))
  return { act: 'place', placed: { player, kind: 'bracket', price: target, stopPrice, leastPrice, amount } }
}
