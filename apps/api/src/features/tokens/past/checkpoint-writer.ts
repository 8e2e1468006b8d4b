import { priceText, spotPrice } from '@papermoon/amm'
import type { Db, Tx } from '@papermoon/db'
import type { TokenId } from '@papermoon/engine'
import { sql } from 'kysely'
import type { AppPart } from '../../../context.ts'
import { sleep } from '../../../lib/durations.ts'
import { packHoldings, readHoldings } from './past-holders.ts'
import { type CandlePart, nextCheckpoint, readFormingMinute, readPoolThen, SPACING } from './read-token.ts'
import { type FromCheckpoint, findCheckpoint, getTrade } from './store.ts'

/**
 * Class of the advisory locks for writing checkpoints. Each token has its own lock in this class. Never change the
 * class, because processes of all versions share it.
 */
const CHECKPOINT_LOCKS = 727_466

/** Time in ms between two scans of all tokens. The scan finds tokens with trades that this node did not see. */
const SCAN_EVERY_MS = 600_000
/**
 * Pause of the job, as a multiple of the duration of its work. The job works at most a tenth of the time, because
 * orders have priority.
 */
const REST_PER_WORK = 9

/**
 * Returns a function that writes due checkpoints, one at a time. Several nodes on one database can do this at once. The
 * first scan of all tokens comes ten minutes after the start.
 */
export function createCheckpointWriter({
  platform: { db, timers },
  live: { feed },
}: AppPart<'db' | 'timers' | 'feed'>): (stopping: AbortSignal) => Promise<void> {
  const due = new Set<TokenId>()
  let scannedMs = timers.monotonic()
  feed.onEvent((event) => {
    if (event.type === 'trade' && event.seq % SPACING === 0) due.add(event.tokenId)
  })
  const writeAll = async (tokenId: TokenId, stopping: AbortSignal) => {
    for (;;) {
      stopping.throwIfAborted()
      const startedMs = timers.monotonic()
      if (!(await writeNextCheckpoint(db, tokenId))) return
      await sleep(timers, (timers.monotonic() - startedMs) * REST_PER_WORK, stopping)
    }
  }
  return async (stopping) => {
    if (timers.monotonic() - scannedMs >= SCAN_EVERY_MS) {
      for (const tokenId of await findDueTokens(db)) due.add(tokenId)
      scannedMs = timers.monotonic()
    }
    for (const tokenId of due) {
      // Remove the token from the list first. If the checkpoint of one token fails, the other tokens still get theirs.
      due.delete(tokenId)
      await writeAll(tokenId, stopping)
    }
  }
}

/**
 * Writes a token's next checkpoint, even for a hidden token. Returns false if no checkpoint is due, or if another
 * process is writing a checkpoint for this token. A checkpoint is one row, so a process that dies here leaves nothing
 * behind. A checkpoint is computed from the previous one and the later trades.
 */
export async function writeNextCheckpoint(db: Db, tokenId: TokenId, spacing = SPACING): Promise<boolean> {
  return await db.transaction().execute(async (tx) => {
    if (!(await takeLock(tx, tokenId))) return false
    const journal = await findJournal(tx, tokenId)
    if (journal === undefined) return false
    const checkpoint = await findCheckpoint(tx, { tokenId, seq: journal.last_trade })
    const seq = nextCheckpoint(checkpoint ?? { seq: 0, holders: 0 }, spacing)
    if (seq > journal.last_trade) return false
    const position = { tokenId, seq }
    const { created_at: at } = await getTrade(tx, position)
    const price = priceText(spotPrice(await readPoolThen(tx, position, { isRug: false })))
    const end = { ...position, at, price, launchPrice: journal.launch_price, checkpoint }
    await insertCheckpoint(tx, {
      ...position,
      checkpoint: checkpoint?.seq ?? 0,
      minute: await readFormingMinute(tx, end),
    })
    return true
  })
}

/** Finds tokens whose next checkpoint is due or nearly due. Reads each pool only once. */
export async function findDueTokens(db: Db, spacing = SPACING): Promise<TokenId[]> {
  const { rows } = await sql<{ token_id: TokenId }>`
    select p.token_id from pools p
     where p.seq >= ${spacing}
       and p.seq >= ${spacing} + coalesce(
         (select c.seq from holder_checkpoints c where c.token_id = p.token_id order by c.seq desc limit 1), 0)
     order by p.token_id`.execute(db)
  return rows.map((row) => row.token_id)
}

async function takeLock(tx: Tx, tokenId: TokenId): Promise<boolean> {
  const { rows } = await sql<{ taken: boolean }>`
    select pg_try_advisory_xact_lock(${sql.lit(CHECKPOINT_LOCKS)}, ${tokenId}::int) as taken`.execute(tx)
  return rows[0]?.taken === true
}

interface JournalRow {
  readonly launch_price: string
  readonly last_trade: number
}

/** Finds a token's launch price and the sequence number of its last trade. */
async function findJournal(tx: Tx, tokenId: TokenId): Promise<JournalRow | undefined> {
  const { rows } = await sql<JournalRow>`
    select t.launch_price, p.seq - (case when p.rugged_at is null then 0 else 1 end) as last_trade
      from tokens t join pools p on p.token_id = t.id where t.id = ${tokenId}`.execute(tx)
  return rows[0]
}

/** A checkpoint to write. `checkpoint` is the sequence number of the previous checkpoint; 0 if there is none. */
interface NewCheckpoint extends FromCheckpoint {
  readonly minute: CandlePart
}

async function insertCheckpoint(tx: Tx, { minute, ...position }: NewCheckpoint): Promise<void> {
  const holdings = [...(await readHoldings(tx, position))].sort((one, other) => one.userId - other.userId)
  await tx
    .insertInto('holder_checkpoints')
    .values({
      token_id: position.tokenId,
      seq: position.seq,
      holdings: packHoldings(holdings),
      minute: minute.bucket,
      minute_open: minute.open,
      minute_high: minute.high,
      minute_low: minute.low,
      minute_volume: minute.volume,
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}
