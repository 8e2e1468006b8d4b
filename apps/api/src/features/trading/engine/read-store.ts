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
  const pools = ids(keys.tokenIds)
  const users = ids(keys.userIds)
  const [, poolRows, accountRows] = await statements(client, [
    'begin',
    `select p.token_id, p.sol_reserve, p.virtual_sol, p.token_reserve, p.fees, p.price, p.seq, p.last_event_at,
            encode(p.chain_head, 'hex') as chain_head, t.hidden_at
       from pools p join tokens t on t.id = p.token_id
      where p.token_id in (${pools}) order by p.token_id for no key update of p${skip}`,
    `select a.user_id, a.sol_balance, a.realized_pnl, u.username
       from accounts a join users u on u.id = a.user_id
      where a.user_id in (${users}) order by a.user_id for no key update of a${skip}`,
  ])
  const market = new LockedMarket()
  for (const row of poolRows ?? []) addPool(market, row)
  for (const row of accountRows ?? []) addAccount(market, row)
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
  const launches = tickets.filter((ticket) => ticket.order.kind === 'launch').length
  const keyed = tickets.filter((ticket) => ticket.mayBeRepeat)
  const rugged = tickets.flatMap(({ order }) => (order.kind === 'rug' ? [order.tokenId] : []))
  const [holdings, tradeIds, tokenIds, creators, trades, launchRows, rugs] = await statements(client, [
    `select h.token_id, h.user_id, h.amount, h.cost from (values ${holdingPairs(tickets)}) k (token_id, user_id)
       join holdings h on h.token_id = k.token_id and h.user_id = k.user_id`,
    `select nextval('trades_id_seq') as id from generate_series(1, ${tickets.length})`,
    `select nextval('tokens_id_seq') as id from generate_series(1, ${launches})`,
    `select id, creator_id from tokens where id in (${ids(rugged)})`,
    ...(keyed.length === 0 ? [] : priorStatements(keyed)),
  ])
  for (const row of holdings ?? []) {
    const position = { amount: new Decimal(row.amount), cost: new Decimal(row.cost) }
    market.setPosition(row.token_id, row.user_id, position)
  }
  for (const { id, creator_id } of creators ?? []) market.creators.set(id, creator_id)
  addPriorAnswers(market, { trades: trades ?? [], launches: launchRows ?? [], rugs: rugs ?? [] })
  return supplyOf(tradeIds ?? [], tokenIds ?? [])
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

/** Sends several statements as one message; the rows of each. Nothing in them comes from outside unescaped. */
async function statements(client: pg.ClientBase, texts: readonly string[]): Promise<Row[][]> {
  const results = (await client.query(texts.join(';'))) as unknown as pg.QueryResult<Row>[]
  return results.map((result) => result.rows)
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
  const [pools, accounts] = await statements(client, [
    `select token_id as id from pools where token_id in (${ids(keys.tokenIds)})`,
    `select user_id as id from accounts where user_id in (${ids(keys.userIds)})`,
  ])
  for (const { id } of pools ?? []) if (!market.pools.has(id)) market.unavailable.pools.add(id)
  for (const { id } of accounts ?? []) {
    if (!market.accounts.has(id)) market.unavailable.accounts.add(id)
  }
}

function holdingPairs(tickets: readonly Ticket[]): string {
  const pairs = new Set<string>()
  for (const { order } of tickets) if (order.kind !== 'launch') pairs.add(`(${order.tokenId},${order.userId})`)
  return pairs.size === 0 ? '(0,0)' : [...pairs].join(',')
}

function supplyOf(tradeIds: readonly Row[], tokenIds: readonly Row[]): IdSupply {
  const next = <Id>(rows: readonly Row[]) => {
    const left = rows.values()
    return (): Id => {
      const { value } = left.next()
      if (value === undefined) throw new Error('the batch took more ids than it has orders')
      return value.id
    }
  }
  return { nextTradeId: next<number>(tradeIds), nextTokenId: next<TokenId>(tokenIds) }
}
