/** Formats parameters of statements, and builds the statements that read the rows that a batch lacks. */

import type { TokenId, UserId } from '@papermoon/contract/ids'
import type pg from 'pg'
import { getAccountId, type Market } from '../batch/market.ts'
import type { PendingOrder } from '../order-queue.ts'

/** Functions that format a column of rows as one parameter of a statement. */
export interface Columns {
  /** Formats values that need no quotes: numbers, times and hexadecimal digits. */
  texts<T>(rows: readonly T[], column: (row: T) => string | number): string | null
  /** Formats hexadecimal digits as a `bytea` column. */
  hashes<T>(rows: readonly T[], column: (row: T) => string): string | null
  /** Formats arbitrary text. */
  quoted<T>(rows: readonly T[], column: (row: T) => string): string | null
}

/** Formats rows as PostgreSQL array literals. Quotes and backslashes in quoted elements must be escaped. */
export const manyRows = {
  texts: <T>(rows: readonly T[], column: (row: T) => string | number): string => `{${rows.map(column).join(',')}}`,
  hashes: <T>(rows: readonly T[], column: (row: T) => string): string =>
    manyRows.texts(rows, (row) => `\\\\x${column(row)}`),
  quoted: <T>(rows: readonly T[], column: (row: T) => string): string =>
    manyRows.texts(rows, (row) => `"${column(row).replace(/["\\]/g, '\\$&')}"`),
} satisfies Columns

/** Formats the value of the only row, or null if there is no row. */
export const oneRow = {
  texts: ([row], column) => (row === undefined ? null : `${column(row)}`),
  hashes: ([row], column) => (row === undefined ? null : `\\x${column(row)}`),
  quoted: ([row], column) => (row === undefined ? null : column(row)),
} satisfies Columns

export interface RowsToRead {
  readonly tokenIds: readonly TokenId[]
  readonly accountIds: readonly number[]
  /** Holdings to read, possibly with duplicates. */
  readonly pairs: readonly HoldingKey[]
  /** Ids of API keys with spending limits. */
  readonly keyIds: readonly number[]
}

/** Finds rows that these orders need and that the market lacks. */
export function findMissingRows(market: Market, orders: readonly PendingOrder[]): RowsToRead {
  const tokenIds = new Set<TokenId>()
  const accountIds = new Set<number>()
  const pairs: HoldingKey[] = []
  const keyIds = new Set<number>()
  for (const pending of orders) {
    const { order } = pending
    const { userId, spendingKeyId } = order
    const accountId = getAccountId(order)
    if (spendingKeyId !== undefined && market.spending(spendingKeyId) === undefined) keyIds.add(spendingKeyId)
    if (market.account(accountId) === undefined) accountIds.add(accountId)
    if (order.kind === 'launch') continue
    const { tokenId } = order
    if (market.pool(tokenId) === undefined) tokenIds.add(tokenId)
    const needsNoRow = detectsMissedHolding(pending) && market.neverHeld(accountId, tokenId)
    if (!needsNoRow && market.holding(tokenId, userId) === undefined) pairs.push({ tokenId, userId })
  }
  return { tokenIds: [...tokenIds], accountIds: [...accountIds], pairs, keyIds: [...keyIds] }
}

/**
 * Returns whether an order would fail because the cache wrongly lacks a holding. Only a buy can fail, because it
 * inserts the row, and the primary key rejects a second one.
 */
export function detectsMissedHolding({ order, mayBeRepeat }: PendingOrder): boolean {
  return order.kind === 'buy' && !mayBeRepeat
}

// biome-ignore lint/suspicious/noExplicitAny: rows differ by statement; each reader names its own columns.
export type Row = any
/** Returns the rows of the statement with this name. The list is empty if the statement was not sent. */
export type ResultRows = (name: string) => Row[]

/**
 * Sends named statements in one round trip over PostgreSQL's simple protocol. The simple protocol has no parameters, so
 * the caller must escape all values.
 */
export async function queryAll(
  client: pg.ClientBase,
  statements: Readonly<Record<string, string>>,
): Promise<ResultRows> {
  const names = Object.keys(statements)
  const results = (await client.query(Object.values(statements).join(';'))) as unknown as pg.QueryResult<Row>[]
  // For a single statement, pg does not return an array.
  const rows = new Map([results].flat().map((result, i) => [names[i], result.rows]))
  return (name) => rows.get(name) ?? []
}

interface HoldingKey {
  readonly tokenId: TokenId
  readonly userId: UserId
}

/** Selects pools. The caller can add a clause that locks `p`. */
export const selectPools = (tokenIds: readonly TokenId[]): string =>
  `select p.token_id, p.sol_reserve, p.virtual_sol, p.token_reserve, p.fees, p.price, p.seq, p.last_event_at,
     encode(p.chain_head, 'hex') as chain_head, t.hidden_at is not null as is_hidden, t.creator_id,
     p.closes_at, p.closes_at <= clock_timestamp() as is_closed,
     p.book, p.book_below, p.book_above, p.cascade, p.cascade_from, p.cascade_low, p.cascade_batches,
     p.seals, p.sealed_until, p.bag_sealed_until, p.bag_sealed_tokens, encode(p.seal_head, 'hex') as seal_head
   from pools p join tokens t on t.id = p.token_id where p.token_id in (${formatIds(tokenIds)})`

/** Max number of held tokens that are cached as a set. Reading a larger set would cost more than it saves. */
export const HELD_MAX = 16

export const ACCOUNT = 'a.account_id, a.user_id, a.sol_balance, u.username'

/**
 * Adds the ids of held tokens, at most `HELD_MAX` + 1. Do not use this statement for locked reads: after a wait for a
 * lock, it returns the holdings from before the wait.
 */
export const ACCOUNT_AND_HELD = `${ACCOUNT},
  array(select h.token_id from holdings h where h.user_id = a.user_id limit ${HELD_MAX + 1}) as held`

/** Selects accounts with usernames. The caller can add a clause that locks `a`. */
export const selectAccounts = (ids: readonly number[], columns = ACCOUNT): string =>
  `select ${columns}
   from accounts a join users u on u.id = a.user_id where a.account_id in (${formatIds(ids)})`

/** Returns the statement `holdings`, or none if there is nothing to select. */
export function selectHoldings(pairs: readonly HoldingKey[]): Record<string, string> {
  if (pairs.length === 0) return {}
  const values = pairs.map(({ tokenId, userId }) => `(${tokenId},${userId})`).join(',')
  const holdings = `select h.token_id, h.user_id, h.amount, h.cost from (values ${values}) k (token_id, user_id)
     join holdings h on h.token_id = k.token_id and h.user_id = k.user_id`
  return { holdings }
}

/** Queries the holdings with a prepared statement, which is planned once. */
export async function queryHoldings(client: pg.ClientBase, pairs: readonly HoldingKey[]): Promise<ResultRows> {
  const { rows } = await client.query({
    name: 'read-holdings',
    text: READ_HOLDINGS,
    values: [manyRows.texts(pairs, ({ tokenId }) => tokenId), manyRows.texts(pairs, ({ userId }) => userId)],
  })
  return (name) => (name === 'holdings' ? rows : [])
}

// Use `lateral` with `offset 0` to force lookups by key. The table may have been small when PostgreSQL planned the
// statement.
const READ_HOLDINGS = `
  select h.token_id, h.user_id, h.amount, h.cost from unnest($1::int[], $2::int[]) k (token_id, user_id)
    cross join lateral (select * from holdings h where h.token_id = k.token_id and h.user_id = k.user_id offset 0) h`

/**
 * Returns the statement `spendings`, or none if no order has a limit. Writers of a row must hold a lock on the account
 * of the key's owner.
 */
export function selectSpendings(keyIds: readonly number[]): Record<string, string> {
  if (keyIds.length === 0) return {}
  const spendings = `select id, spending_limit, spent, spent_on from api_keys
     where id in (${formatIds(keyIds)}) and spending_limit is not null`
  return { spendings }
}

/** Formats a list for `in (…)`. An empty list becomes the id 0, because `in ()` is invalid SQL. No row has the id 0. */
export function formatIds(values: readonly number[]): string {
  return values.length === 0 ? '0' : values.join(',')
}
