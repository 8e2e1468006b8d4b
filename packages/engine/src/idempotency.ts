import { createHash } from 'node:crypto'
import { solText, tokensText } from '@papermoon/amm'
import type { TokenId, UserId } from '@papermoon/contract/ids'
import type { Seal, Trade } from '@papermoon/contract/market-events'
import type { WaitingOrderView } from '@papermoon/contract/waiting-orders'
import { formatNumeric } from '@papermoon/db'
import pg from 'pg'
import { type SealRow, type TradeRow, toSeal, toTrade } from './events/journal.ts'
import type { PendingOrder } from './order-queue.ts'
import type { LaunchOrder, Order, PlaceOrder, SealRequest, SealTerm } from './orders.ts'
import { manyRows, type Row } from './sql/statements.ts'
import { toWaitingChange } from './sql/waiting-reads.ts'
import { toWaitingView } from './waiting/waiting-order.ts'

/**
 * Returns a text that is equal for repeats of an order and different for other orders. The text does not contain the
 * minimum output, so that a repeat with another minimum gets the first response.
 */
export function computeFingerprint(order: Order): string {
  if (order.kind === 'buy') return tradeFingerprint('buy', order.tokenId, solText(order.sol))
  if (order.kind === 'sell') return tradeFingerprint('sell', order.tokenId, tokensText(order.tokens))
  if (order.kind === 'rug') return rugFingerprint(order.tokenId)
  if (order.kind === 'seal') return sealFingerprint(order.tokenId, order)
  if (order.kind === 'place') return placeFingerprint(order)
  // It is safe to run a cancellation again, because a repeat cancels nothing more.
  if (order.kind === 'cancel') return `cancel:${order.tokenId}:${order.ids.join()}`
  return launchFingerprint(order)
}

function placeFingerprint({ tokenId, terms, lastsMs, replaces }: PlaceOrder): string {
  const { kind, amount, price, stopPrice, leastPrice } = terms
  const figures = [amount, price, stopPrice, leastPrice].map((figure) => figure?.toFixed() ?? null)
  const text = JSON.stringify([kind, ...figures, lastsMs, replaces ?? null])
  return `place:${tokenId}:${createHash('sha256').update(text).digest('base64url')}`
}

/** Returns the fingerprint of a buy (`amount` in SOL) or sale (`amount` in tokens). `amount` has no trailing zeros. */
function tradeFingerprint(side: 'buy' | 'sell', tokenId: number, amount: string): string {
  return `${side}:${tokenId}:${amount}`
}

function rugFingerprint(tokenId: number): string {
  return `rug:${tokenId}`
}

function sealFingerprint(tokenId: number, { term, bag }: SealRequest): string {
  return `seal:${tokenId}:${term}:${bag}`
}

function launchFingerprint({ token, initialBuy, seal, fair }: LaunchOrder): string {
  const fields = [token.name, token.symbol, token.emoji, token.description, token.website, token.x, token.telegram]
  const conditions = seal === undefined ? [] : [sealFingerprint(0, seal)]
  if (fair !== undefined) conditions.push(`fair:${fair.id}`)
  const text = JSON.stringify([...fields, initialBuy === undefined ? null : solText(initialBuy), ...conditions])
  return `launch:${createHash('sha256').update(text).digest('base64url')}`
}

interface LaunchRow {
  readonly id: TokenId
  readonly creator_id: UserId
  readonly request_key: string
  readonly request_hash: string
}

interface RugRow {
  readonly token_id: TokenId
  readonly user_id: UserId
  readonly amount: string
  readonly request_key: string
}

type KeyedSealRow = SealRow & {
  readonly token_id: TokenId
  readonly user_id: UserId
  readonly term: SealTerm
  readonly with_bag: boolean
  readonly request_key: string
}

/** The response to an earlier order with the same key. */
export type PriorResponse = { readonly fingerprint: string } & (
  | { readonly kind: 'trade'; readonly trade: Trade }
  | { readonly kind: 'launch'; readonly tokenId: TokenId; readonly initialTrade: Trade | null }
  | { readonly kind: 'rug'; readonly tokenId: TokenId; readonly ruggedAmount: string }
  | { readonly kind: 'place'; readonly order: WaitingOrderView }
  | { readonly kind: 'seal'; readonly tokenId: TokenId; readonly seal: Seal }
)

/** Rows in the database that earlier orders with the same keys wrote. */
export interface PriorRows {
  readonly trades: readonly (TradeRow & { readonly request_key: string })[]
  readonly launches: readonly LaunchRow[]
  readonly rugs: readonly RugRow[]
  readonly seals: readonly KeyedSealRow[]
  readonly placed: readonly Row[]
}

/**
 * Finds the few earlier orders with the same keys. Uses a prepared statement, because PostgreSQL needs more than a
 * millisecond to plan `selectPriorRows` for forty orders.
 */
export async function findRepeats(
  client: pg.ClientBase,
  keyed: readonly PendingOrder[],
): Promise<readonly PendingOrder[]> {
  if (keyed.length === 0) return []
  const userIds = manyRows.texts(keyed, ({ order }) => order.userId)
  const requestKeys = manyRows.quoted(keyed, ({ requestKey }) => requestKey)
  const used = { name: 'find-used-keys', text: FIND_USED_KEYS, values: [userIds, requestKeys] }
  const { rows } = await client.query<{ ordinal: number }>(used)
  const ordinals = new Set(rows.map(({ ordinal }) => ordinal))
  return keyed.filter((_, i) => ordinals.has(i + 1))
}

// Use `offset 0` to force lookups by key. The tables may have been small when PostgreSQL planned the statement.
const FIND_USED_KEYS = `
  select k.ordinal::int as ordinal
  from unnest($1::int[], $2::text[]) with ordinality k (user_id, request_key, ordinal)
  where exists (select from trades t where t.user_id = k.user_id and t.request_key = k.request_key offset 0)
    or exists (select from waiting_orders w where w.user_id = k.user_id and w.request_key = k.request_key offset 0)
    or exists (select from tokens t where t.creator_id = k.user_id and t.request_key = k.request_key offset 0)
    or exists (select from rugs r where r.user_id = k.user_id and r.request_key = k.request_key offset 0)
    or exists (select from seals s where s.user_id = k.user_id and s.request_key = k.request_key offset 0)`

/** Returns statements that select the rows that earlier orders with the same keys wrote. */
export function selectPriorRows(keyed: readonly PendingOrder[]): Record<keyof PriorRows, string> {
  const keys = keyed.map(({ order, requestKey }) => `(${order.userId},${pg.escapeLiteral(requestKey)})`).join(',')
  return {
    trades: `select t.*, u.username, u.kind <> 'player' as is_bot from (values ${keys}) k (user_id, request_key)
       join trades t on t.user_id = k.user_id and t.request_key = k.request_key
       join users u on u.id = t.user_id`,
    launches: `select t.id, t.creator_id, t.request_key, t.request_hash from (values ${keys}) k (user_id, request_key)
       join tokens t on t.creator_id = k.user_id and t.request_key = k.request_key`,
    rugs: `select r.token_id, r.user_id, r.amount, r.request_key from (values ${keys}) k (user_id, request_key)
       join rugs r on r.user_id = k.user_id and r.request_key = k.request_key`,
    seals: `select s.* from (values ${keys}) k (user_id, request_key)
       join seals s on s.user_id = k.user_id and s.request_key = k.request_key`,
    placed: `select w.* from (values ${keys}) k (user_id, request_key)
       join waiting_orders w on w.user_id = k.user_id and w.request_key = k.request_key`,
  }
}

/** Returns a text that is unique among all players. An idempotency key is unique only per player. */
export function toPriorKey(userId: UserId, requestKey: string): string {
  return `${userId}:${requestKey}`
}

/** Returns the responses to earlier orders, by `toPriorKey`. */
export function toPriorResponses({ trades, launches, rugs, seals, placed }: PriorRows): Map<string, PriorResponse> {
  const responses = new Map<string, PriorResponse>()
  const tradeByKey = new Map<string, Trade>()
  for (const row of trades) {
    const trade = toTrade(row)
    const key = toPriorKey(trade.userId, row.request_key)
    tradeByKey.set(key, trade)
    const asked = trade.side === 'buy' ? trade.solAmount : trade.tokenAmount
    const fingerprint = tradeFingerprint(trade.side, trade.tokenId, asked)
    responses.set(key, { kind: 'trade', fingerprint, trade })
  }
  // A launch and its first buy have the same key, so the launch's response replaces that of the buy.
  for (const row of launches) {
    const key = toPriorKey(row.creator_id, row.request_key)
    const response = { kind: 'launch', tokenId: row.id, initialTrade: tradeByKey.get(key) ?? null } as const
    responses.set(key, { ...response, fingerprint: row.request_hash })
  }
  for (const row of rugs) {
    const response = { kind: 'rug', tokenId: row.token_id, ruggedAmount: formatNumeric(row.amount) } as const
    responses.set(toPriorKey(row.user_id, row.request_key), { ...response, fingerprint: rugFingerprint(row.token_id) })
  }
  for (const row of seals) {
    const { token_id: tokenId, term, with_bag: bag } = row
    const fingerprint = sealFingerprint(tokenId, { term, bag })
    responses.set(toPriorKey(row.user_id, row.request_key), { kind: 'seal', tokenId, seal: toSeal(row), fingerprint })
  }
  for (const row of placed) {
    const order = toWaitingView(toWaitingChange(row))
    responses.set(toPriorKey(row.user_id, row.request_key), { kind: 'place', order, fingerprint: row.digest })
  }
  return responses
}
