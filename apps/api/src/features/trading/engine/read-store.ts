import { Decimal } from '@papermoon/amm'
import type pg from 'pg'
import type { TokenId, UserId } from '../../../ids.ts'
import type { IdSupply } from './batch-changes.ts'
import { LockedMarket } from './market.ts'
import { addPriorAnswers, priorStatements } from './prior-answers.ts'
import type { Ticket } from './ticket.ts'

/** The rows a batch works on. */
export interface BatchKeys {
  readonly tokenIds: readonly TokenId[]
  readonly userIds: readonly UserId[]
}

/** A connection inside a transaction that holds the batch's locks. */
export type LockedClient = pg.ClientBase & { readonly __locked: unique symbol }

/** `skip` passes over rows that another transaction holds; `wait` waits for them, for the lock timeout at most. */
export type LockMode = 'wait' | 'skip'

/**
 * Begins a transaction and locks the pools, then the accounts, each in id order: the one lock order of the product.
 * `for no key update`, so a new session or a new holding of the same player does not wait. Ids are integers,
 * so the whole goes as one simple-protocol message: one round trip.
 */
export async function lockMarket(
  client: pg.ClientBase,
  keys: BatchKeys,
  mode: LockMode,
): Promise<{ client: LockedClient; market: LockedMarket }> {
  const skip = mode === 'skip' ? ' skip locked' : ''
  const rows = await rowsOf(client, {
    begin: 'begin',
    pools: `select p.token_id, p.sol_reserve, p.virtual_sol, p.token_reserve, p.fees, p.price, p.seq, p.last_event_at,
            encode(p.chain_head, 'hex') as chain_head, t.hidden_at
       from pools p join tokens t on t.id = p.token_id
      where p.token_id in (${ids(keys.tokenIds)}) order by p.token_id for no key update of p${skip}`,
    accounts: `select a.user_id, a.sol_balance, a.realized_pnl, u.username
       from accounts a join users u on u.id = a.user_id
      where a.user_id in (${ids(keys.userIds)}) order by a.user_id for no key update of a${skip}`,
  })
  const market = new LockedMarket()
  for (const row of rows('pools')) addPool(market, row)
  for (const row of rows('accounts')) addAccount(market, row)
  const locked = client as LockedClient
  if (mode === 'skip') await findUnavailable(locked, keys, market)
  return { client: locked, market }
}

/**
 * Reads what only locks make safe to read: holdings, the answers to earlier orders with the same keys, and ids.
 * A statement of its own: one that waits for locks sees the other tables as they were before it waited.
 */
export async function readMarket(
  client: LockedClient,
  market: LockedMarket,
  tickets: readonly Ticket[],
): Promise<IdSupply> {
  const launches = tickets.filter(({ order }) => order.kind === 'launch').length
  const keyed = tickets.filter((ticket) => ticket.mayBeRepeat)
  const rugged = tickets.flatMap(({ order }) => (order.kind === 'rug' ? [order.tokenId] : []))
  const pairs = holdingPairs(tickets)
  const rows = await rowsOf(client, {
    tradeIds: `select string_agg(nextval('trades_id_seq')::text, ',') as ids from generate_series(1, ${tickets.length})`,
    ...(pairs.length > 0 && {
      holdings: `select h.token_id, h.user_id, h.amount, h.cost from (values ${pairs.join(',')}) k (token_id, user_id)
        join holdings h on h.token_id = k.token_id and h.user_id = k.user_id`,
    }),
    ...(launches > 0 && {
      tokenIds: `select string_agg(nextval('tokens_id_seq')::text, ',') as ids from generate_series(1, ${launches})`,
    }),
    ...(rugged.length > 0 && { creators: `select id, creator_id from tokens where id in (${rugged.join(',')})` }),
    ...(keyed.length > 0 && priorStatements(keyed)),
  })
  for (const row of rows('holdings')) {
    const position = { amount: new Decimal(row.amount), cost: new Decimal(row.cost) }
    market.setPosition(row.token_id, row.user_id, position)
  }
  for (const { id, creator_id } of rows('creators')) market.creators.set(id, creator_id)
  addPriorAnswers(market, { trades: rows('trades'), launches: rows('launches'), rugs: rows('rugs') })
  return { nextTradeId: idsFrom(rows('tradeIds')), nextTokenId: idsFrom(rows('tokenIds')) as () => TokenId }
}

export async function commit(client: LockedClient): Promise<void> {
  const { command } = await client.query('commit')
  // PostgreSQL answers a commit of a failed transaction with a rollback, and no error.
  if (command !== 'COMMIT') throw new Error(`a commit was answered with ${command}`)
}

/** Ends a transaction without effect. */
export async function rollback(client: pg.ClientBase): Promise<void> {
  await client.query('rollback')
}

// biome-ignore lint/suspicious/noExplicitAny: a row is what its statement selects; each reader below names its own columns.
type Row = any

/**
 * Sends named statements as one message: one round trip. Returns the rows of each, none of one that was not sent. Nothing in
 * them comes from outside unescaped.
 */
async function rowsOf(
  client: pg.ClientBase,
  texts: Readonly<Record<string, string>>,
): Promise<(name: string) => Row[]> {
  const names = Object.keys(texts)
  const results = (await client.query(Object.values(texts).join(';'))) as unknown as pg.QueryResult<Row>[]
  // Of one statement alone pg returns no list.
  const rows = new Map([results].flat().map((result, i) => [names[i], result.rows]))
  return (name) => rows.get(name) ?? []
}

/** A list for `in (…)`; 0 is nobody's id, and an empty list would be no SQL. */
function ids(values: readonly number[]): string {
  return values.length === 0 ? '0' : values.join(',')
}

function addPool(market: LockedMarket, row: Row): void {
  const tokenId: TokenId = row.token_id
  market.pools.set(tokenId, {
    tokenId,
    pool: {
      sol: new Decimal(row.sol_reserve),
      virtualSol: new Decimal(row.virtual_sol),
      tokens: new Decimal(row.token_reserve),
    },
    fees: new Decimal(row.fees),
    price: new Decimal(row.price),
    seq: row.seq,
    lastEventAtMs: row.last_event_at.getTime(),
    chainHead: row.chain_head,
  })
  if (row.hidden_at !== null) market.hidden.add(tokenId)
}

function addAccount(market: LockedMarket, row: Row): void {
  const userId: UserId = row.user_id
  market.accounts.set(userId, {
    userId,
    username: row.username,
    balance: new Decimal(row.sol_balance),
    realizedPnl: new Decimal(row.realized_pnl),
  })
}

/** Tells rows that somebody else holds from rows that do not exist. */
async function findUnavailable(client: LockedClient, keys: BatchKeys, market: LockedMarket): Promise<void> {
  const rows = await rowsOf(client, {
    pools: `select token_id as id from pools where token_id in (${ids(keys.tokenIds)})`,
    accounts: `select user_id as id from accounts where user_id in (${ids(keys.userIds)})`,
  })
  for (const { id } of rows('pools')) if (!market.pools.has(id)) market.unavailable.pools.add(id)
  for (const { id } of rows('accounts')) {
    if (!market.accounts.has(id)) market.unavailable.accounts.add(id)
  }
}

function holdingPairs(tickets: readonly Ticket[]): string[] {
  const pairs = new Set<string>()
  for (const { order } of tickets) if (order.kind !== 'launch') pairs.add(`(${order.tokenId},${order.userId})`)
  return [...pairs]
}

/** Ids that came as one text, so that hundreds of rows need not be read. */
function idsFrom(rows: readonly Row[]): () => number {
  const ids = (rows[0]?.ids ?? '').split(',')
  let taken = 0
  return () => {
    const id = ids[taken++]
    if (id === undefined || id === '') throw new Error('the batch took more ids than it has orders')
    return Number(id)
  }
}
