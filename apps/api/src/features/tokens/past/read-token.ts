import { Decimal, launchPool, type Pool, priceText, rugPool, spotPrice } from '@papermoon/amm'
import { TRADES_PAGE } from '@papermoon/contract/tokens'
import type { Db } from '@papermoon/db'
import { TokenNotFoundError, type TradeRow } from '@papermoon/engine'
import type { AppPart } from '../../../context.ts'
import { inSnapshot, type Snapshot } from '../../../database/snapshot.ts'
import { createWorkQueue } from '../../../lib/work-queue.ts'
import type { TokenRow } from '../store.ts'
import { MomentNotFoundError, PastBusyError } from './errors.ts'
import { type CandlePart, readFormingMinute } from './forming-minute.ts'
import { nextCheckpoint, SPACING } from './spacing.ts'
import {
  type CheckpointRow,
  findCheckpoint,
  findDayBefore,
  findSealBefore,
  findTokenNow,
  findTradesUpTo,
  getTrade,
  type JournalPosition,
  type TokenNowRow,
} from './store.ts'

/** The queue uses few of the node's database connections, because orders and current reads need the others. */
const pastQueue = createWorkQueue({ runningMax: 3, waitingMax: 100, full: () => new PastBusyError() })

/** A token as it was right after one of its events. */
export interface TokenThen {
  readonly now: TokenNowRow
  readonly position: JournalPosition
  readonly at: Date
  readonly isRug: boolean
  readonly pool: Pool
  /** The trades up to the event, newest first, at most `TRADES_PAGE`. */
  readonly trades: readonly TradeRow[]
  readonly checkpoint: CheckpointRow | undefined
  /** The minute candle that was forming; null right after the launch, when there was none. */
  readonly minute: CandlePart | null
  /** Input for `toToken`, without the creator's holding. */
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

/** The app and the IP address that read the past. */
export interface PastReader {
  readonly app: AppPart<'db'>
  readonly ip: string
}

/**
 * Reads a visible token as it was. Throws `TokenNotFoundError`, `MomentNotFoundError`, or `PastBusyError` if the last
 * checkpoint is too far away.
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

/** Reads a token's current data. Throws `TokenNotFoundError` or `MomentNotFoundError`. */
export async function getTokenNow(snapshot: Snapshot, { tokenId, seq }: JournalPosition): Promise<TokenNowRow> {
  const now = await findTokenNow(snapshot, tokenId)
  if (now === undefined) throw new TokenNotFoundError()
  if (seq > now.last_seq) throw new MomentNotFoundError(now.last_seq)
  return now
}

/**
 * Max number of trades that a read may add up in addition to those between two checkpoints, because the job may be
 * late.
 */
const LATE_MAX = 16_384

/** Reads the last checkpoint at or before a position. Throws `PastBusyError` if it is too far away. */
export async function readCheckpoint(
  snapshot: Snapshot,
  position: JournalPosition,
): Promise<CheckpointRow | undefined> {
  const checkpoint = await findCheckpoint(snapshot, position)
  if (position.seq > nextCheckpoint(checkpoint ?? { seq: 0, holders: 0 }, SPACING) + LATE_MAX) throw new PastBusyError()
  return checkpoint
}

/** Reads the pool right after an event. */
export async function readPoolThen(
  db: Db,
  { tokenId, seq }: JournalPosition,
  { isRug }: { readonly isRug: boolean },
): Promise<Pool> {
  // A rug pull is the last entry, and not a trade.
  const lastTrade = isRug ? seq - 1 : seq
  const before = lastTrade === 0 ? launchPool() : await readReserves(db, { tokenId, seq: lastTrade })
  return isRug ? rugPool(before).pool : before
}

async function readReserves(db: Db, position: JournalPosition): Promise<Pool> {
  const reserves = await getTrade(db, position)
  return { ...launchPool(), sol: new Decimal(reserves.sol_reserve), tokens: new Decimal(reserves.token_reserve) }
}
