import { refBuy, refSell } from '@papermoon/amm/testing'
import { getHolding, getPlayer, type PlainMarket, type PlainOrder, type PlainToken } from './plain-market.ts'

/** An amount: thousandths of what the player has, plus some units. */
export interface Share {
  readonly permille: number
  readonly extra: number
}

/** Id of a token that does not exist. */
export const UNKNOWN = -1
const UNKNOWN_ID = 2_000_000_000

interface TradeWish {
  readonly kind: 'buy' | 'sell'
  readonly player: number
  readonly token: number
  readonly share: Share
  /** Minimum output relative to what the pool would pay now, in units; null for none. */
  readonly above: number | null
  readonly key: number | null
}

/** An action independent of existing players and tokens: indexes start at 0 and wrap around. */
export type Wish =
  | TradeWish
  | { readonly kind: 'launch'; readonly player: number; readonly share: Share; readonly key: number | null }
  /** Null for the creator. */
  | { readonly kind: 'rug'; readonly player: number | null; readonly token: number; readonly key: number | null }
  | { readonly kind: 'reset'; readonly player: number }
  /** Repeats an earlier order with its key. */
  | { readonly kind: 'again'; readonly place: number }

/** Turns a wish into an order; null if the market lacks what it needs. */
export function toOrder(market: PlainMarket, wish: Wish): PlainOrder | null {
  if (wish.kind === 'again') return at([...market.answered.values()], wish.place)?.order ?? null
  if (wish.kind === 'rug') return toRug(market, wish)
  const userId = at(market.players, wish.player)?.id
  if (userId === undefined) return null
  if (wish.kind === 'reset') return { kind: 'reset', userId, key: null }
  if (wish.kind !== 'launch') return toTradeOrder(market, wish, userId)
  const sol = computeShare(getPlayer(market, userId).balance, wish.share)
  return { kind: 'launch', userId, key: toRequestKey(wish.key), name: `Moon ${wish.share.extra}`, symbol: 'MOON', sol }
}

function toRug(market: PlainMarket, wish: Wish & { readonly kind: 'rug' }): PlainOrder | null {
  const token = at(market.tokens, wish.token)
  const player = at(market.players, wish.player ?? 0)
  if (token === undefined || player === undefined) return null
  const userId = wish.player === null ? token.creator : player.id
  return { kind: 'rug', userId, key: toRequestKey(wish.key), tokenId: token.id }
}

function toTradeOrder(market: PlainMarket, wish: TradeWish, userId: number): PlainOrder | null {
  const token = wish.token === UNKNOWN ? null : at(market.tokens, wish.token)
  if (token === undefined) return null
  const { kind, share } = wish
  const tokenId = token?.id ?? UNKNOWN_ID
  const has = kind === 'buy' ? getPlayer(market, userId).balance : getHolding(market, tokenId, userId).amount
  const amount = computeShare(has, share)
  const minimum = wish.above === null ? null : computeMinimum(token, { kind, amount, above: wish.above })
  const about = { userId, tokenId, minimum, key: toRequestKey(wish.key) }
  return kind === 'buy' ? { kind, ...about, sol: amount } : { kind, ...about, tokens: amount }
}

/** Null if the pool would pay nothing. */
function computeMinimum(
  token: PlainToken | null,
  { kind, amount, above }: { kind: 'buy' | 'sell'; amount: bigint; above: number },
): bigint | null {
  if (token === null) return null
  const quote = kind === 'buy' ? refBuy(token.pool, amount) : refSell(token.pool, amount)
  if ('error' in quote) return null
  const minimum = ('tokensOut' in quote ? quote.tokensOut : quote.solOut) + BigInt(above)
  return minimum > 0n ? minimum : null
}

const toRequestKey = (key: number | null): string | null => (key === null ? null : `key-${key}`)

function computeShare(all: bigint, { permille, extra }: Share): bigint {
  return (all * BigInt(permille)) / 1_000n + BigInt(extra)
}

function at<T>(list: readonly T[], place: number): T | undefined {
  return list[place % list.length]
}
