import { Decimal, launchPool, type Pool, priceText, rugPool, spotPrice } from '@papermoon/amm'
import { TRADES_PAGE } from '@papermoon/contract/tokens'
import type { Db } from '@papermoon/db'
import { TokenNotFoundError, type TradeRow } from '@papermoon/engine'
import type { AppPart } from '../../../context.ts'
import { inSnapshot, type Snapshot } from '../../../database/snapshot.ts'
import { ApiError, defineError } from '../../../errors.ts'
import { createWorkQueue } from '../../../lib/work-queue.ts'
import type { TokenRow } from '../store.ts'
import {
  alignToSpan,
  type CheckpointRow,
  findCheckpoint,
  findDayBefore,
  findSealBefore,
  findTokenNow,
  findTradesUpTo,
  getTrade,
  type JournalPosition,
  MINUTE_MS,
  sumTrades,
  type TokenNowRow,
} from './store.ts'

/** A candle or a part of one. Prices and SOL amounts are texts. */
export interface CandlePart {
  readonly bucket: Date
  readonly open: string
  readonly high: string
  readonly low: string
  readonly close: string
  readonly volume: string
}

/**
 * The end of a token's journal at an earlier time. `seq` and `at` belong to the last event, and `price` is the price
 * after it.
 */
interface JournalEnd extends JournalPosition {
  readonly at: Date
  readonly price: string
  readonly launchPrice: string
  readonly checkpoint: CheckpointRow | undefined
}

/** Number of trades between two checkpoints of a token with few holders. */
export const SPACING = 1_024

/**
 * Number of holders per trade between two checkpoints, which limits the storage per trade. A token with many holders
 * gets its next checkpoint after a sixteenth as many trades.
 */
const HOLDERS_PER_TRADE = 16

/** The token has no entry with this sequence number yet. */
export class MomentNotFoundError extends ApiError {
  readonly code = 'MOMENT_NOT_FOUND'
  constructor(lastSeq: number) {
    super(`This token has no event with that number. Its latest event is ${lastSeq}.`)
  }
}

/** Too many past states are being read, or the checkpoints for this one do not exist yet. */
class PastBusyError extends defineError(
  'BUSY',
  'This token’s history is not ready yet. Please try again in 2 seconds.',
  { retryAfterS: 2 },
) {}

/** The queue uses few of the node's database connections, because orders and current reads need the others. */
const pastQueue = createWorkQueue({ runningMax: 3, waitingMax: 100, full: () => new PastBusyError() })

/** The state of a token right after one of its events. */
export interface TokenThen {
  readonly now: TokenNowRow
  readonly position: JournalPosition
  readonly at: Date
  readonly isRug: boolean
  readonly pool: Pool
  /** At most `TRADES_PAGE` trades up to the event, newest first. */
  readonly trades: readonly TradeRow[]
  readonly checkpoint: CheckpointRow | undefined
  /** The one-minute candle that was still incomplete. There is no such candle right after the launch. */
  readonly minute: CandlePart | null
  /** The input for `toToken`, without the creator's holding. */
  readonly row: Omit<TokenRow, 'creator_holding'>
}

/** Reads a past state on one snapshot. Only a few reads run at a time. Throws `PastBusyError`. */
export async function readPast<T>(
  {
    app: {
      platform: { db },
    },
    ip,
  }: PastReader,
  read: (snapshot: Snapshot) => Promise<T>,
): Promise<T> {
  return await pastQueue(ip, () => inSnapshot(db, read))
}

/** The app, and the IP address of the caller who reads the past. */
export interface PastReader {
  readonly app: AppPart<'db'>
  readonly ip: string
}

/**
 * Reads the past state of a visible token. Throws `TokenNotFoundError`, `MomentNotFoundError`, or `PastBusyError` if
 * the last checkpoint has too many later trades.
 */
export async function readTokenThen(snapshot: Snapshot, position: JournalPosition): Promise<TokenThen> {
  const now = await getTokenNow(snapshot, position)
  const checkpoint = await readCheckpoint(snapshot, position)
  const trades = await findTradesUpTo(snapshot, position, TRADES_PAGE)
  const isRug = now.rug_seq === position.seq
  const at = (isRug ? now.rugged_at : trades[0]?.created_at) ?? now.created_at
  const pool = await readPoolThen(snapshot, position, { isRug })
  const price = priceText(spotPrice(pool))
  const end = { ...position, at, price, launchPrice: now.launch_price, checkpoint }
  const minute = position.seq === 0 ? null : await readFormingMinute(snapshot, end)
  const day = await findDayBefore(snapshot, position.tokenId, at)
  const row = {
    ...now,
    ...(await findSealBefore(snapshot, position)),
    sol_reserve: pool.sol.toFixed(),
    virtual_sol: pool.virtualSol.toFixed(),
    token_reserve: pool.tokens.toFixed(),
    price,
    seq: position.seq,
    last_event_at: at,
    rugged_at: isRug ? at : null,
    price_24h_ago: day.price_24h_ago ?? now.launch_price,
    volume_24h: new Decimal(day.volume).add(minute?.volume ?? 0).toFixed(),
  }
  return { now, position, at, isRug, pool, trades, checkpoint, minute, row }
}

/** Reads the current data of a token. Throws `TokenNotFoundError` or `MomentNotFoundError`. */
export async function getTokenNow(snapshot: Snapshot, { tokenId, seq }: JournalPosition): Promise<TokenNowRow> {
  const now = await findTokenNow(snapshot, tokenId)
  if (now === undefined) throw new TokenNotFoundError()
  if (seq > now.last_seq) throw new MomentNotFoundError(now.last_seq)
  return now
}

/**
 * Max number of trades after a checkpoint, in addition to the usual distance of checkpoints. The job that writes
 * checkpoints may be late by this number of trades.
 */
const LATE_MAX = 16_384

/** Reads the last checkpoint at or before a position. Throws `PastBusyError` if the checkpoint is too far away. */
export async function readCheckpoint(
  snapshot: Snapshot,
  position: JournalPosition,
): Promise<CheckpointRow | undefined> {
  const checkpoint = await findCheckpoint(snapshot, position)
  if (position.seq > nextCheckpoint(checkpoint ?? { seq: 0, holders: 0 }, SPACING) + LATE_MAX) throw new PastBusyError()
  return checkpoint
}

/** Reads the state of the pool right after an event. */
export async function readPoolThen(
  db: Db,
  { tokenId, seq }: JournalPosition,
  { isRug }: { readonly isRug: boolean },
): Promise<Pool> {
  // Subtract one if the last entry is a rug pull, because it is not a trade.
  const lastTrade = isRug ? seq - 1 : seq
  const before = lastTrade === 0 ? launchPool() : await readReserves(db, { tokenId, seq: lastTrade })
  return isRug ? rugPool(before).pool : before
}

async function readReserves(db: Db, position: JournalPosition): Promise<Pool> {
  const reserves = await getTrade(db, position)
  return { ...launchPool(), sol: new Decimal(reserves.sol_reserve), tokens: new Decimal(reserves.token_reserve) }
}

/** Returns the sequence number of the next checkpoint, which is a multiple of `spacing` later. */
export function nextCheckpoint(
  { seq, holders }: { readonly seq: number; readonly holders: number },
  spacing: number,
): number {
  return seq + spacing * Math.max(1, Math.ceil(holders / (HOLDERS_PER_TRADE * spacing)))
}

/**
 * Reads the incomplete minute candle right after an event that is not the launch. If there is a checkpoint in the same
 * minute, only later trades are added up.
 */
export async function readFormingMinute(db: Db, end: JournalEnd): Promise<CandlePart> {
  const { checkpoint, price: close } = end
  const bucket = alignToSpan(MINUTE_MS, end.at)
  const sums = await sumTrades(db, end, checkpoint?.seq ?? 0, bucket)
  const begun = checkpoint?.minute.getTime() === bucket.getTime() ? checkpoint : undefined
  // If there are no trades in this minute, the rug pull is its only event.
  const open = begun?.minute_open ?? (await readPriceBefore(db, end, sums.first_seq ?? end.seq))
  const prices = [open, close, begun?.minute_high, begun?.minute_low, sums.high, sums.low].filter(
    (text) => text != null,
  )
  return {
    bucket,
    open,
    high: Decimal.max(...prices).toFixed(),
    low: Decimal.min(...prices).toFixed(),
    close,
    volume: new Decimal(sums.volume).add(begun?.minute_volume ?? 0).toFixed(),
  }
}

/** Reads the price right before an event of the token. */
async function readPriceBefore(db: Db, { tokenId, launchPrice }: JournalEnd, seq: number): Promise<string> {
  return seq === 1 ? launchPrice : (await getTrade(db, { tokenId, seq: seq - 1 })).spot_price
}
