import { Decimal } from '@papermoon/amm'
import type pg from 'pg'
import type { TokenId, UserId } from '../../../ids.ts'
import { type Market, NO_HOLDING, withBalance } from './market.ts'
import { type PriorAnswer, priorAnswers, priorStatements } from './prior-answers.ts'
import type { Ticket } from './ticket.ts'

/** The rows a batch works on. */
export interface BatchRows {
  readonly tokenIds: readonly TokenId[]
  readonly userIds: readonly UserId[]
  /** Holdings. */
  readonly pairs: readonly { readonly tokenId: TokenId; readonly userId: UserId }[]
}

/** What a batch has to know beside the rows of the market. */
export interface BatchReadings {
  /** What earlier orders with the same keys were answered, by `priorKey`. */
  readonly prior: ReadonlyMap<string, PriorAnswer>
  /** Who launched the tokens that this batch is asked to rug. */
  readonly creators: ReadonlyMap<TokenId, UserId>
  /** Tokens and players that exist, but were locked by somebody else. */
  readonly heldPools: ReadonlySet<TokenId>
  readonly heldAccounts: ReadonlySet<UserId>
  /** Ids taken after every lock was held. */
  nextTokenId(): TokenId
}

/** Of a batch that has neither repeats nor rug pulls. */
export const NOTHING_READ: Omit<BatchReadings, 'nextTokenId'> = {
  prior: new Map(),
  creators: new Map(),
  heldPools: new Set(),
  heldAccounts: new Set(),
}

/** `skip` passes over rows that another transaction holds; `wait` waits for them, for the lock timeout at most. */
export type LockMode = 'wait' | 'skip'

/**
 * Begins a transaction that locks the pools, then the accounts, each in id order: the one lock order of the product.
 * `for no key update`, so a new session or a new holding of the same player does not wait. What only locks make safe to
 * read (holdings, earlier answers, ids) is read by later statements of the same message: each sees what was committed
 * when it began, and one that waits for locks sees the other tables as they were before it waited.
 */
export async function lockMarket(
  client: pg.ClientBase,
  market: Market,
  batch: { readonly rows: BatchRows; readonly tickets: readonly Ticket[]; readonly mode: LockMode },
): Promise<BatchReadings> {
  const { rows, tickets, mode } = batch
  const skip = mode === 'skip' ? ' skip locked' : ''
  const answers = await rowsOf(client, {
    begin: 'begin',
    pools: `${poolsOf(rows.tokenIds)} order by p.token_id for no key update of p${skip}`,
    accounts: `${accountsOf(rows.userIds)} order by a.user_id for no key update of a${skip}`,
    ...(mode === 'skip' && {
      allPools: `select token_id as id from pools where token_id in (${ids(rows.tokenIds)})`,
      allAccounts: `select user_id as id from accounts where user_id in (${ids(rows.userIds)})`,
    }),
    ...holdingsOf(rows.pairs),
    ...forLaunchesAndRugs(tickets),
    ...priorsOf(tickets),
  })
  return addRows(market, rows, answers)
}

/**
 * Reads rows that a market does not know and earlier answers; nothing where there is nothing to read. Locks nothing. Returns how
 * to add them: an answer that comes too late must not be added.
 */
export async function readUnlocked(
  connect: () => Promise<pg.ClientBase>,
  { rows, tickets }: { readonly rows: BatchRows; readonly tickets: readonly Ticket[] },
): Promise<(market: Market) => BatchReadings> {
  const statements = {
    ...(rows.tokenIds.length > 0 && { pools: poolsOf(rows.tokenIds) }),
    ...(rows.userIds.length > 0 && { accounts: accountsOf(rows.userIds) }),
    // After the pools: a holding that is newer than its pool is found out when the pool is written, an older one is not.
    ...holdingsOf(rows.pairs),
    ...priorsOf(tickets),
  }
  const answers = Object.keys(statements).length === 0 ? NO_ROWS : await rowsOf(await connect(), statements)
  return (market) => addRows(market, rows, answers)
}

const NO_ROWS: Answers = () => []

/** Ends a transaction without effect. */
export async function rollback(client: pg.ClientBase): Promise<void> {
  await client.query('rollback')
}

const poolsOf = (tokenIds: readonly TokenId[]): string =>
  `select p.token_id, p.sol_reserve, p.virtual_sol, p.token_reserve, p.fees, p.price, p.seq, p.last_event_at,
     encode(p.chain_head, 'hex') as chain_head, t.hidden_at is not null as is_hidden
   from pools p join tokens t on t.id = p.token_id where p.token_id in (${ids(tokenIds)})`

const accountsOf = (userIds: readonly UserId[]): string =>
  `select a.user_id, a.sol_balance, u.username
   from accounts a join users u on u.id = a.user_id where a.user_id in (${ids(userIds)})`

function holdingsOf(pairs: BatchRows['pairs']): Record<string, string> {
  if (pairs.length === 0) return {}
  const values = pairs.map(({ tokenId, userId }) => `(${tokenId},${userId})`).join(',')
  const holdings = `select h.token_id, h.user_id, h.amount, h.cost from (values ${values}) k (token_id, user_id)
     join holdings h on h.token_id = k.token_id and h.user_id = k.user_id`
  return { holdings }
}

function forLaunchesAndRugs(tickets: readonly Ticket[]): Record<string, string> {
  const launches = tickets.filter(({ order }) => order.kind === 'launch').length
  const rugged = tickets.flatMap(({ order }) => (order.kind === 'rug' ? [order.tokenId] : []))
  return {
    ...(launches > 0 && { newIds: `select nextval('tokens_id_seq')::int as id from generate_series(1, ${launches})` }),
    ...(rugged.length > 0 && { creators: `select id, creator_id from tokens where id in (${ids(rugged)})` }),
  }
}

function priorsOf(tickets: readonly Ticket[]): Record<string, string> {
  const keyed = tickets.filter((ticket) => ticket.mayBeRepeat)
  return keyed.length === 0 ? {} : priorStatements(keyed)
}

/** A list for `in (…)`; 0 is nobody's id, and an empty list would be no SQL. */
function ids(values: readonly number[]): string {
  return values.length === 0 ? '0' : values.join(',')
}

function addRows(market: Market, { pairs }: BatchRows, rows: Answers): BatchReadings {
  for (const row of rows('pools')) addPool(market, row)
  for (const row of rows('accounts')) addAccount(market, row)
  for (const { tokenId, userId } of pairs) {
    if (market.pool(tokenId) !== undefined) market.setHolding(tokenId, userId, NO_HOLDING)
  }
  for (const { token_id, user_id, amount, cost } of rows('holdings')) {
    if (market.pool(token_id) === undefined) continue
    const position = { amount: new Decimal(amount), cost: new Decimal(cost) }
    market.setHolding(token_id, user_id, { position, isRow: true })
  }
  const newIds: TokenId[] = rows('newIds').map(({ id }) => id)
  return {
    prior: priorAnswers({ trades: rows('trades'), launches: rows('launches'), rugs: rows('rugs') }),
    creators: new Map(rows('creators').map(({ id, creator_id }) => [id, creator_id])),
    heldPools: new Set(rows('allPools').flatMap(({ id }) => (market.pool(id) === undefined ? [id] : []))),
    heldAccounts: new Set(rows('allAccounts').flatMap(({ id }) => (market.accounts.has(id) ? [] : [id]))),
    nextTokenId: () => {
      const id = newIds.shift()
      if (id === undefined) throw new Error('the batch took more ids than it has launches')
      return id
    },
  }
}

// biome-ignore lint/suspicious/noExplicitAny: a row is what its statement selects; each reader below names its own columns.
type Row = any
/** The rows of a statement by its name; none of one that was not sent. */
type Answers = (name: string) => Row[]

/**
 * Sends named statements as one simple-protocol message: one round trip. Nothing in them comes from outside unescaped.
 */
async function rowsOf(client: pg.ClientBase, statements: Readonly<Record<string, string>>): Promise<Answers> {
  const names = Object.keys(statements)
  const results = (await client.query(Object.values(statements).join(';'))) as unknown as pg.QueryResult<Row>[]
  // Of one statement alone pg returns no list.
  const rows = new Map([results].flat().map((result, i) => [names[i], result.rows]))
  return (name) => rows.get(name) ?? []
}

function addPool(market: Market, row: Row): void {
  market.setPool({
    tokenId: row.token_id,
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
    isHidden: row.is_hidden,
  })
}

function addAccount(market: Market, row: Row): void {
  const { user_id: userId, username, sol_balance: balance } = row
  market.accounts.set(userId, withBalance({ userId, username }, new Decimal(balance)))
}
