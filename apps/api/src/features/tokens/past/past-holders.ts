import { Decimal } from '@papermoon/amm'
import type { Db } from '@papermoon/db'
import { sql } from 'kysely'
import { IS_BOT } from '../../../database/conditions.ts'
import type { HolderRow } from '../holders.ts'
import { type FromCheckpoint, sqlMillionths } from './store.ts'

/** Size of a packed holding in bytes: a 32-bit user id and a 64-bit amount, big-endian. */
const HOLDING_BYTES = 12

const HALF = 2 ** 32

/** A holding in millionths of a token. The amount is a safe integer, because the supply is only 10^15 millionths. */
export interface Holding {
  readonly userId: number
  readonly amount: number
}

export interface PastHolders {
  readonly count: number
  /** Rows sorted by rank. */
  readonly rows: readonly HolderRow[]
}

interface HolderQuery extends FromCheckpoint {
  readonly limit: number
  /** Players whose holdings are returned even if they rank low. */
  readonly players: readonly number[]
}

/**
 * Finds the `limit` largest holders at a position, and those of `players` who held the token. The largest holder comes
 * first. If amounts are equal, the older account comes first. The result is a checkpoint plus the later trades.
 */
export async function findPastHolders(db: Db, query: HolderQuery): Promise<PastHolders> {
  const { count, shown } = chooseHolders(await readHoldings(db, query), query)
  if (shown.length === 0) return { count, rows: [] }
  const users = await db
    .selectFrom('users as u')
    .select(['u.id', 'u.username', IS_BOT.as('is_bot')])
    .where(
      'u.id',
      'in',
      shown.map(({ userId }) => userId),
    )
    .execute()
  const named = new Map(users.map(({ id, ...user }) => [id, user]))
  const rows = shown.map(({ userId, amount }) => ({
    user_id: userId,
    ...(named.get(userId) ?? { username: '', is_bot: false }),
    amount: new Decimal(amount).mul('0.000001').toFixed(),
  }))
  return { count, rows }
}

/** Reads all holdings, each player once. Adding up thousands of holdings in SQL takes five times as long. */
export async function readHoldings(db: Db, { tokenId, seq, checkpoint }: FromCheckpoint): Promise<Iterable<Holding>> {
  const { rows: changes } = await sql<{ user_id: number; change: number }>`
    select user_id, sum(${sqlMillionths})::bigint as change
      from trades where token_id = ${tokenId} and seq > ${checkpoint} and seq <= ${seq} group by user_id`.execute(db)
  const begun = await db
    .selectFrom('holder_checkpoints')
    .select('holdings')
    .where('token_id', '=', tokenId)
    .where('seq', '=', checkpoint)
    .executeTakeFirst()
  const held = begun === undefined ? [] : unpackHoldings(begun.holdings)
  return addChanges(held, new Map(changes.map((row) => [row.user_id, row.change])))
}

function* addChanges(begun: Iterable<Holding>, changes: Map<number, number>): Generator<Holding> {
  for (const { userId, amount: before } of begun) {
    const amount = before + (changes.get(userId) ?? 0)
    changes.delete(userId)
    if (amount > 0) yield { userId, amount }
  }
  for (const [userId, amount] of changes) if (amount > 0) yield { userId, amount }
}

function chooseHolders(
  holdings: Iterable<Holding>,
  { limit, players }: HolderQuery,
): { readonly count: number; readonly shown: Holding[] } {
  const wanted = new Set(players)
  const chosen: Holding[] = []
  const largest: Holding[] = []
  let count = 0
  for (const holding of holdings) {
    count++
    if (wanted.has(holding.userId)) chosen.push(holding)
    else insertRanked(largest, holding, limit)
  }
  return { count, shown: [...chosen, ...largest].sort(compareRanks) }
}

/** Inserts a holding at its rank if the holding is one of the `limit` largest. */
function insertRanked(largest: Holding[], holding: Holding, limit: number): void {
  const last = largest.at(-1)
  if (largest.length >= limit && (last === undefined || compareRanks(last, holding) < 0)) return
  let index = largest.length
  while (index > 0 && compareRanks(holding, largest[index - 1] as Holding) < 0) index--
  largest.splice(index, 0, holding)
  if (largest.length > limit) largest.pop()
}

function compareRanks(one: Holding, other: Holding): number {
  return other.amount - one.amount || one.userId - other.userId
}

/** Packs holdings as bytes for `holder_checkpoints`. Use bytes, because they are read three times as fast as arrays. */
export function packHoldings(holdings: readonly Holding[]): Buffer {
  const bytes = Buffer.alloc(holdings.length * HOLDING_BYTES)
  for (const [index, { userId, amount }] of holdings.entries()) {
    const offset = index * HOLDING_BYTES
    bytes.writeUInt32BE(userId, offset)
    bytes.writeUInt32BE(Math.floor(amount / HALF), offset + 4)
    bytes.writeUInt32BE(amount % HALF, offset + 8)
  }
  return bytes
}

export function* unpackHoldings(bytes: Buffer): Generator<Holding> {
  for (let offset = 0; offset < bytes.length; offset += HOLDING_BYTES) {
    yield {
      userId: bytes.readUInt32BE(offset),
      amount: bytes.readUInt32BE(offset + 4) * HALF + bytes.readUInt32BE(offset + 8),
    }
  }
}
