import { Decimal } from '@papermoon/amm'
import type { Db } from '@papermoon/db'
import { type CheckpointRow, getTrade, type JournalPosition, sumTrades } from './store.ts'
import { alignToSpan, MINUTE_MS } from './time-spans.ts'

/** A candle, or a part of one, with prices and SOL as text. */
export interface CandlePart {
  readonly bucket: Date
  readonly open: string
  readonly high: string
  readonly low: string
  readonly close: string
  readonly volume: string
}

/**
 * The end of a token's journal at an earlier time. Its last event is number `seq`, at `at`, after which the price is
 * `price`.
 */
export interface JournalEnd extends JournalPosition {
  readonly at: Date
  readonly price: string
  readonly launchPrice: string
  readonly checkpoint: CheckpointRow | undefined
}

/**
 * Reads the minute candle that was forming right after an event other than the launch. A checkpoint in the same minute
 * limits the trades to add up.
 */
export async function readFormingMinute(db: Db, end: JournalEnd): Promise<CandlePart> {
  const { checkpoint, price: close } = end
  const bucket = alignToSpan(MINUTE_MS, end.at)
  const sums = await sumTrades(db, end, checkpoint?.seq ?? 0, bucket)
  const begun = checkpoint?.minute.getTime() === bucket.getTime() ? checkpoint : undefined
  // Without a trade in this minute, its only event is the rug pull.
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

/** Reads the price right before an event. */
async function readPriceBefore(db: Db, { tokenId, launchPrice }: JournalEnd, seq: number): Promise<string> {
  return seq === 1 ? launchPrice : (await getTrade(db, { tokenId, seq: seq - 1 })).spot_price
}
