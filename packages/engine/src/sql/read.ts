import { Decimal } from '@papermoon/amm'
import type pg from 'pg'
import { type Market, NO_HOLDING, withBalance } from '../batch/market.ts'
import { type PriorAnswer, priorAnswers, priorStatements } from '../idempotency/prior-answers.ts'
import type { TokenId, UserId } from '../ids.ts'
import type { PendingOrder } from '../pending-order.ts'
import { type BatchRows, isGuarded } from './missing-rows.ts'
import {
  ACCOUNT,
  ACCOUNT_AND_HELD,
  type Answers,
  accountsOf,
  HELD_MAX,
  holdingsOf,
  ids,
  poolsOf,
  preparedHoldings,
  type Row,
  rowsOf,
} from './read-statements.ts'

/** What a batch has to know beside the rows of the market. */
export interface BatchReads {
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
export const NOTHING_READ: Omit<BatchReads, 'nextTokenId'> = {
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
  batch: { readonly rows: BatchRows; readonly orders: readonly PendingOrder[]; readonly mode: LockMode },
): Promise<BatchReads> {
  const { rows, orders, mode } = batch
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
    ...forLaunchesAndRugs(orders),
    ...priorsOf(orders),
  })
  return addRows(market, rows, answers)
}

/**
 * Reads rows that a market does not know and earlier answers; nothing where there is nothing to read. Locks nothing. Returns how
 * to add them: an answer that comes too late must not be added.
 */
export async function readUnlocked(
  connect: () => Promise<pg.ClientBase>,
  { rows, orders }: { readonly rows: BatchRows; readonly orders: readonly PendingOrder[] },
): Promise<(market: Market) => BatchReads> {
  const statements = {
    ...(rows.tokenIds.length > 0 && { pools: poolsOf(rows.tokenIds) }),
    ...(rows.userIds.length > 0 && {
      accounts: accountsOf(rows.userIds, orders.some(isGuarded) ? ACCOUNT_AND_HELD : ACCOUNT),
    }),
    // After the pools: a holding that is newer than its pool is found out when the pool is written, an older one is not.
    ...holdingsOf(rows.pairs),
    ...priorsOf(orders),
  }
  const names = Object.keys(statements)
  if (names.length === 0) return (market) => addRows(market, rows, NO_ROWS)
  const client = await connect()
  // What most batches of known players need is planned once.
  const isHoldings = names.length === 1 && names[0] === 'holdings'
  const answers = isHoldings ? await preparedHoldings(client, rows.pairs) : await rowsOf(client, statements)
  return (market) => addRows(market, rows, answers)
}

const NO_ROWS: Answers = () => []

/** Ends a transaction without effect. */
export async function rollback(client: pg.ClientBase): Promise<void> {
  await client.query('rollback')
}

function forLaunchesAndRugs(orders: readonly PendingOrder[]): Record<string, string> {
  const launches = orders.filter(({ order }) => order.kind === 'launch').length
  const rugged = orders.flatMap(({ order }) => (order.kind === 'rug' ? [order.tokenId] : []))
  return {
    ...(launches > 0 && { newIds: `select nextval('tokens_id_seq')::int as id from generate_series(1, ${launches})` }),
    ...(rugged.length > 0 && { creators: `select id, creator_id from tokens where id in (${ids(rugged)})` }),
  }
}

function priorsOf(orders: readonly PendingOrder[]): Record<string, string> {
  const keyed = orders.filter((pending) => pending.mayBeRepeat)
  return keyed.length === 0 ? {} : priorStatements(keyed)
}

function addRows(market: Market, { pairs }: BatchRows, rows: Answers): BatchReads {
  for (const row of rows('pools')) addPool(market, row)
  for (const row of rows('accounts')) addAccount(market, row)
  for (const { tokenId, userId } of pairs) {
    if (market.pool(tokenId) !== undefined) market.setHolding(tokenId, userId, NO_HOLDING)
  }
  for (const { token_id, user_id, amount, cost } of rows('holdings')) {
    if (market.pool(token_id) === undefined) continue
    market.setHolding(token_id, user_id, { amount, cost, isRow: true })
  }
  const newIds: TokenId[] = rows('newIds').map(({ id }) => id)
  return {
    prior: priorAnswers({ trades: rows('trades'), launches: rows('launches'), rugs: rows('rugs') }),
    creators: new Map(rows('creators').map(({ id, creator_id }) => [id, creator_id])),
    heldPools: new Set(rows('allPools').flatMap(({ id }) => (market.pool(id) === undefined ? [id] : []))),
    heldAccounts: new Set(rows('allAccounts').flatMap(({ id }) => (market.account(id) === undefined ? [id] : []))),
    nextTokenId: () => {
      const id = newIds.shift()
      if (id === undefined) throw new Error('the batch took more ids than it has launches')
      return id
    },
  }
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
  const { user_id: userId, username, sol_balance: balance, held } = row
  market.setAccount(withBalance({ userId, username }, new Decimal(balance)))
  if (held !== undefined && held.length <= HELD_MAX) market.setHeld(userId, held)
}
