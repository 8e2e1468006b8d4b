import { Decimal } from '@papermoon/amm'
import type { TokenId, UserId } from '@papermoon/contract/ids'
import type pg from 'pg'
import { type Market, NEVER_SPENT, NO_HOLDING, NO_SEAL, type SealState, withBalance } from '../batch/market.ts'
import { findRepeats, type PriorResponse, selectPriorRows, toPriorResponses } from '../idempotency.ts'
import type { PendingOrder } from '../order-queue.ts'
import type { OrderRange } from '../waiting/order-range.ts'
import { NO_BOOK, type OrderBook, STEPS_MAX } from '../waiting/waiting-order.ts'
import {
  ACCOUNT,
  ACCOUNT_AND_HELD,
  detectsMissedHolding,
  formatIds,
  HELD_MAX,
  queryAll,
  queryHoldings,
  type ResultRows,
  type Row,
  type RowsToRead,
  selectAccounts,
  selectHoldings,
  selectPools,
  selectSpendings,
} from './statements.ts'
import {
  NO_WAITING,
  type RangesRead,
  selectRanges,
  selectWaiting,
  toRanges,
  toWaitingReads,
  type WaitingReads,
} from './waiting-reads.ts'

/** The data that a batch reads in addition to the market's rows. */
export interface BatchReads extends WaitingReads {
  /** Responses to earlier orders with the same idempotency keys, by `toPriorKey`. */
  readonly prior: ReadonlyMap<string, PriorResponse>
  /** Ids of rows that exist but are locked by another transaction. */
  readonly lockedPools: ReadonlySet<TokenId>
  readonly lockedAccounts: ReadonlySet<number>
  /** Ids of the transactions that had locked the rows. */
  readonly holders: ReadonlySet<string>
  /** Returns the number of tokens that a player launched in a fair with a limit before this batch. */
  launched(fairId: number, userId: UserId): number
  /** Returns the next id for a launch. Ids are drawn when all locks are held. */
  nextTokenId(): TokenId
}

/** The empty result for a batch without repeats and launches. */
export const EMPTY_READS: Omit<BatchReads, 'nextTokenId'> = {
  prior: new Map(),
  lockedPools: new Set(),
  lockedAccounts: new Set(),
  holders: new Set(),
  launched: () => 0,
  ...NO_WAITING,
}

/** What to do about locked rows: `wait` until the lock timeout, or `skip` the rows. */
export type LockMode = 'wait' | 'skip'

/**
 * Begins a transaction that locks the pools, then the accounts, each in id order, as everywhere in the product. The
 * locks are `for no key update`, so that the players' new sessions and holdings need not wait. Later statements of the
 * same message read holdings, earlier responses and ids. These statements must be later, because a statement that waits
 * for locks sees other tables as they were before the wait.
 */
export async function lockMarket(
  client: pg.ClientBase,
  market: Market,
  batch: {
    readonly rows: RowsToRead
    readonly orders: readonly PendingOrder[]
    readonly mode: LockMode
    /**
     * Ranges to read for tokens whose waiting orders may fill. The ranges are read after the pools are locked and
     * before the accounts are locked.
     */
    readonly ranges: RangesRead
  },
): Promise<BatchReads> {
  const { orders, mode } = batch
  const skip = mode === 'skip' ? ' skip locked' : ''
  const pools = {
    begin: 'begin',
    pools: `${selectPools(batch.rows.tokenIds)} order by p.token_id for no key update of p${skip}`,
  }
  const first =
    batch.ranges.tokenIds.length === 0 ? null : await queryAll(client, { ...pools, ranges: selectRanges(batch.ranges) })
  const ranges = addRanges(market, first, batch.ranges)
  const rows = withOwners(batch.rows, ranges)
  const results = await queryAll(client, {
    ...(first === null && pools),
    accounts: `${selectAccounts(rows.accountIds)} order by a.account_id for no key update of a${skip}`,
    ...(mode === 'skip' && {
      allPools: `select token_id as id, xmax::text as holder from pools where token_id in (${formatIds(rows.tokenIds)})`,
      allAccounts: `select account_id as id, xmax::text as holder from accounts where account_id in (${formatIds(rows.accountIds)})`,
    }),
    ...selectHoldings(rows.pairs),
    ...selectSpendings(rows.keyIds),
    ...selectLaunched(orders),
    ...drawTokenIds(orders),
    ...selectPriorResponses(orders),
    ...selectWaiting(orders, true),
  })
  return addRows(market, rows, { rows: (name) => [...(first?.(name) ?? []), ...results(name)], ranges })
}

/** Adds the pools, and returns the locked pools' ranges. */
function addRanges(market: Market, first: ResultRows | null, { tokenIds, size }: RangesRead): Map<TokenId, OrderRange> {
  for (const row of first?.('pools') ?? []) addPool(market, row)
  const locked = tokenIds.filter((tokenId) => market.pool(tokenId) !== undefined)
  const cascadeOf = (tokenId: TokenId) => {
    const book = market.pool(tokenId)?.book
    return book === undefined || book.running === null ? null : book.cascade
  }
  return toRanges(first?.('ranges') ?? [], { tokenIds: locked, size, cascadeOf })
}

/** Adds the rows of the waiting orders' players that fills need. */
function withOwners(rows: RowsToRead, ranges: ReadonlyMap<TokenId, OrderRange>): RowsToRead {
  const waiting = [...ranges.values()].flatMap((range) => [...range.orders])
  if (waiting.length === 0) return rows
  const limited = waiting.flatMap(({ owner }) =>
    owner.keyState === 'limited' && owner.keyId !== null ? [owner.keyId] : [],
  )
  return {
    ...rows,
    accountIds: [...new Set([...rows.accountIds, ...waiting.map(({ owner }) => owner.accountId)])],
    pairs: [...rows.pairs, ...waiting.map(({ tokenId, owner: { userId } }) => ({ tokenId, userId }))],
    keyIds: [...new Set([...rows.keyIds, ...limited])],
  }
}

/**
 * Reads missing rows and earlier responses without locks, if anything is missing. Resolves to a function that adds them
 * to a market. With this function, the caller can drop a late result.
 */
export async function readUnlocked(
  connect: () => Promise<pg.ClientBase>,
  { rows, orders }: { readonly rows: RowsToRead; readonly orders: readonly PendingOrder[] },
): Promise<(market: Market) => BatchReads> {
  const statements = {
    ...(rows.tokenIds.length > 0 && { pools: selectPools(rows.tokenIds) }),
    ...(rows.accountIds.length > 0 && {
      accounts: selectAccounts(rows.accountIds, orders.some(detectsMissedHolding) ? ACCOUNT_AND_HELD : ACCOUNT),
    }),
    // Read holdings after the pools. The check of the pool's `seq` detects a holding that is newer than its pool, but
    // not an older holding.
    ...selectHoldings(rows.pairs),
    ...selectSpendings(rows.keyIds),
  }
  const keyed = orders.filter((pending) => pending.mayBeRepeat)
  const names = Object.keys(statements)
  if (names.length + keyed.length === 0) return (market) => addRows(market, rows, { rows: NO_ROWS })
  const client = await connect()
  const results = names.length === 0 ? NO_ROWS : await queryRows(client, statements, rows)
  // Read repeats after the pools. If another node places a repeat between these reads, the check of the pool's `seq`
  // fails.
  const repeats = await findRepeats(client, keyed)
  const prior = repeats.length === 0 ? NO_ROWS : await queryAll(client, selectPriorRows(repeats))
  return (market) => addRows(market, rows, { rows: (name) => [...results(name), ...prior(name)] })
}

async function queryRows(
  client: pg.ClientBase,
  statements: Readonly<Record<string, string>>,
  { pairs }: RowsToRead,
): Promise<ResultRows> {
  // Use a prepared statement, because cached players usually lack only holdings.
  const isHoldings = Object.keys(statements).join() === 'holdings'
  return isHoldings ? await queryHoldings(client, pairs) : await queryAll(client, statements)
}

/** Reads a snapshot of the market without locks and new ids, for orders that are not placed. */
export async function readSnapshot(
  client: pg.ClientBase,
  market: Market,
  batch: { readonly rows: RowsToRead; readonly orders: readonly PendingOrder[] },
): Promise<BatchReads> {
  const { orders } = batch
  const reached = { tokenIds: batch.rows.tokenIds, size: STEPS_MAX }
  const first = await queryAll(client, {
    begin: 'begin isolation level repeatable read read only',
    pools: selectPools(reached.tokenIds),
    ranges: selectRanges(reached),
  })
  const ranges = addRanges(market, first, reached)
  const rows = withOwners(batch.rows, ranges)
  const results = await queryAll(client, {
    accounts: selectAccounts(rows.accountIds),
    ...selectHoldings(rows.pairs),
    ...selectSpendings(rows.keyIds),
    ...selectLaunched(orders),
    ...selectPriorResponses(orders),
    ...selectWaiting(orders, false),
    commit: 'commit',
  })
  return addRows(market, rows, { rows: results, ranges })
}

/** The value that `xmax` has if a lock was released before the read. */
const UNLOCKED = '0'

const NO_ROWS: ResultRows = () => []

/** Rolls back the transaction. */
export async function rollback(client: pg.ClientBase): Promise<void> {
  await client.query('rollback')
}

function drawTokenIds(orders: readonly PendingOrder[]): Record<string, string> {
  const count = orders.filter(({ order }) => order.kind === 'launch').length
  if (count === 0) return {}
  return { newIds: `select nextval('tokens_id_seq')::int as id from generate_series(1, ${count})` }
}

/**
 * Counts launches while the account is locked. If there are two concurrent launches, the count for the second launch
 * includes the first.
 */
function selectLaunched(orders: readonly PendingOrder[]): Record<string, string> {
  const keys = orders.flatMap(({ order }) =>
    order.kind === 'launch' && order.fair?.bound !== undefined ? [`(${order.fair.id},${order.userId})`] : [],
  )
  if (keys.length === 0) return {}
  const launched = `select fair_id, creator_id, count(*)::int as count from tokens
     where (fair_id, creator_id) in (${keys.join(',')}) group by fair_id, creator_id`
  return { launched }
}

function selectPriorResponses(orders: readonly PendingOrder[]): Record<string, string> {
  const keyed = orders.filter((pending) => pending.mayBeRepeat)
  return keyed.length === 0 ? {} : selectPriorRows(keyed)
}

function addRows(
  market: Market,
  { pairs }: RowsToRead,
  { rows, ranges }: { readonly rows: ResultRows; readonly ranges?: ReadonlyMap<TokenId, OrderRange> },
): BatchReads {
  for (const row of rows('pools')) addPool(market, row)
  for (const row of rows('accounts')) addAccount(market, row)
  for (const row of rows('spendings')) addSpending(market, row)
  for (const { tokenId, userId } of pairs) {
    if (market.pool(tokenId) !== undefined) market.setHolding(tokenId, userId, NO_HOLDING)
  }
  for (const { token_id, user_id, amount, cost } of rows('holdings')) {
    if (market.pool(token_id) === undefined) continue
    market.setHolding(token_id, user_id, { amount, cost, isRow: true })
  }
  const lockedPools = rows('allPools').filter(({ id }) => market.pool(id) === undefined)
  const lockedAccounts = rows('allAccounts').filter(({ id }) => market.account(id) === undefined)
  const newIds: TokenId[] = rows('newIds').map(({ id }) => id)
  return {
    prior: toPriorResponses({
      trades: rows('trades'),
      launches: rows('launches'),
      rugs: rows('rugs'),
      seals: rows('seals'),
      placed: rows('placed'),
    }),
    ...(ranges === undefined ? NO_WAITING : toWaitingReads(rows, ranges)),
    lockedPools: new Set(lockedPools.map(({ id }) => id)),
    lockedAccounts: new Set(lockedAccounts.map(({ id }) => id)),
    holders: new Set([...lockedPools, ...lockedAccounts].map(({ holder }) => holder).filter((id) => id !== UNLOCKED)),
    launched: (fairId, userId) =>
      rows('launched').find((row) => row.fair_id === fairId && row.creator_id === userId)?.count ?? 0,
    nextTokenId: () => {
      const id = newIds.shift()
      if (id === undefined) throw new Error('a batch needs more token ids than it has launches')
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
    creatorId: row.creator_id,
    seal: row.seals === 0 ? NO_SEAL : toSealState(row),
    book: row.book === 0 ? NO_BOOK : toBook(row),
    closing: row.closes_at === null ? null : { atMs: row.closes_at.getTime(), isPast: row.is_closed },
  })
}

function toBook(row: Row): OrderBook {
  const { book_below: below, book_above: above, cascade_from: from, cascade_low: low, cascade_batches: batches } = row
  return {
    version: row.book,
    below: below === null ? null : new Decimal(below),
    above: above === null ? null : new Decimal(above),
    cascade: row.cascade,
    running: from === null ? null : { from: new Decimal(from), low: new Decimal(low), batches },
  }
}

function toSealState(row: Row): SealState {
  return {
    number: row.seals,
    untilMs: row.sealed_until.getTime(),
    bagUntilMs: row.bag_sealed_until?.getTime() ?? null,
    bagTokens: new Decimal(row.bag_sealed_tokens),
    head: row.seal_head,
  }
}

function addAccount(market: Market, row: Row): void {
  const { account_id: id, user_id: userId, username, sol_balance: balance, held } = row
  market.setAccount(withBalance({ id, userId, username }, new Decimal(balance)))
  if (held !== undefined && held.length <= HELD_MAX) market.setHeld(id, held)
}

function addSpending(market: Market, { id: keyId, spending_limit, spent, spent_on }: Row): void {
  const [limit, spentSol] = [new Decimal(spending_limit), new Decimal(spent)]
  market.setSpending({ keyId, limit, spent: spentSol, day: spent_on ?? NEVER_SPENT })
}
