import { Decimal } from '@papermoon/amm'
import type { Database } from '@papermoon/db'
import { type Kysely, sql } from 'kysely'
import { IS_BOT } from '../../../players/is-bot.ts'
import { type FromCheckpoint, sqlMillionths } from './store.ts'

type Db = Kysely<Database>

/** One holder of a token at a moment. */
export interface PastHolderRow {
  readonly user_id: number
  readonly username: string
  readonly is_bot: boolean
  /** Tokens, as text. */
  readonly amount: string
}

export interface PastHolders {
  readonly count: number
  /** In the order of ranks. */
  readonly rows: readonly PastHolderRow[]
}

interface HolderQuery extends FromCheckpoint {
  readonly limit: number
  /** Players to return whatever their rank, if they held anything. */
  readonly players: readonly number[]
}

/** What a player holds, in millionths of a token: a safe integer, since the supply is 10^15 of them. */
interface Holding {
  readonly userId: number
  readonly amount: number
}

/**
 * The `limit` largest holders at a place beside `players`, and those of `players` who held anything; largest first, the
 * older account first among equals. Adds up a checkpoint and the trades after it.
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

/** All that was held. Summing thousands of holdings in SQL takes five times as long. */
async function readHoldings(db: Db, { tokenId, seq, checkpoint }: FromCheckpoint): Promise<Iterable<Holding>> {
  const { rows: changes } = await sql<{ user_id: number; change: number }>`
    select user_id, sum(${sqlMillionths})::bigint as change
      from trades where token_id = ${tokenId} and seq > ${checkpoint} and seq <= ${seq} group by user_id`.execute(db)
  // As text: the driver parses arrays letter by letter.
  const { rows: checkpoints } = await sql<{ user_ids: string; amounts: string }>`
    select user_ids::text, amounts::text from holder_checkpoints
     where token_id = ${tokenId} and seq = ${checkpoint}`.execute(db)
  const [begun = { user_ids: '{}', amounts: '{}' }] = checkpoints
  return addChanges(begun, new Map(changes.map((row) => [row.user_id, row.change])))
}

function* addChanges(
  begun: { readonly user_ids: string; readonly amounts: string },
  changes: Map<number, number>,
): Generator<Holding> {
  const amounts = parseNumbers(begun.amounts)
  for (const [index, userId] of parseNumbers(begun.user_ids).entries()) {
    const amount = (amounts[index] ?? 0) + (changes.get(userId) ?? 0)
    changes.delete(userId)
    if (amount > 0) yield { userId, amount }
  }
  for (const [userId, amount] of changes) if (amount > 0) yield { userId, amount }
}

/** The numbers of an array in PostgreSQL's text format. */
function parseNumbers(text: string): number[] {
  return text === '{}' ? [] : text.slice(1, -1).split(',').map(Number)
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

/** Inserts a holding where it ranks among the `limit` largest, if it does. */
function insertRanked(largest: Holding[], holding: Holding, limit: number): void {
  const last = largest.at(-1)
  if (largest.length >= limit && (last === undefined || compareRanks(last, holding) < 0)) return
  let place = largest.length
  while (place > 0 && compareRanks(holding, largest[place - 1] as Holding) < 0) place--
  largest.splice(place, 0, holding)
  if (largest.length > limit) largest.pop()
}

function compareRanks(one: Holding, other: Holding): number {
  return other.amount - one.amount || one.userId - other.userId
}
