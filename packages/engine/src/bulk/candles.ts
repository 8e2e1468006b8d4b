import type { Price, Sol } from '@papermoon/amm'
import type { TokenId } from '@papermoon/contract/ids'
import type { PoolChange } from '../batch/changes.ts'
import { CANDLE_WIDTHS, type CandleWidth } from '../sql/write.ts'

export interface Candle {
  readonly tokenId: TokenId
  readonly width: CandleWidth
  /** Start of the candle in Unix ms. */
  readonly bucketMs: number
  readonly open: Price
  high: Price
  low: Price
  close: Price
  volume: Sol
  trades: number
}

/** A token's forming candles, narrowest first. */
type Forming = readonly [Candle, Candle, Candle]

/** Computes a history's candles in the same way as the engine's SQL statement does for batches. */
export class HistoryCandles {
  /** Closed candles, in the order of their ends. */
  readonly closed: Candle[] = []
  readonly #forming = new Map<TokenId, Candle[]>()

  add(change: PoolChange): void {
    const { before, after } = change
    if (after.seq === before.seq) return
    const known = this.#forming.get(after.tokenId)
    if (known === undefined) {
      const opened = CANDLE_WIDTHS.map((width) => openCandle(change, width))
      this.#forming.set(after.tokenId, opened)
      return
    }
    for (const [i, candle] of known.entries()) {
      if (toBucketMs(after.lastEventAtMs, candle.width) === candle.bucketMs) extend(candle, change)
      else {
        this.closed.push(candle)
        known[i] = openCandle(change, candle.width)
      }
    }
  }

  /**
   * Returns the minute, hour and day candles of a token that have not ended, or undefined before the token's first
   * event.
   */
  forming(tokenId: TokenId): Forming | undefined {
    const [minute, hour, day] = this.#forming.get(tokenId) ?? []
    return minute && hour && day && [minute, hour, day]
  }
}

function openCandle({ before, after, high, low, volume, trades }: PoolChange, width: CandleWidth): Candle {
  const { tokenId, price: close } = after
  const bucketMs = toBucketMs(after.lastEventAtMs, width)
  return { tokenId, width, bucketMs, open: before.price, high, low, close, volume, trades }
}

function extend(candle: Candle, { after, high, low, volume, trades }: PoolChange): void {
  if (high.gt(candle.high)) candle.high = high
  if (low.lt(candle.low)) candle.low = low
  candle.close = after.price
  candle.volume = candle.volume.add(volume)
  candle.trades += trades
}

function toBucketMs(atMs: number, width: CandleWidth): number {
  return atMs - (atMs % (width * 1_000))
}
