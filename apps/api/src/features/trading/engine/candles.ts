import { Decimal, type Price, type Sol } from '@papermoon/amm'
import { CANDLE_WIDTHS } from '../../../candle-widths.ts'
import type { TokenId } from '../../../ids.ts'

/** What one batch adds to one candle. */
export interface CandleChange {
  readonly tokenId: TokenId
  /** Seconds. */
  readonly width: number
  readonly bucketMs: number
  readonly open: Decimal
  high: Decimal
  low: Decimal
  close: Decimal
  volume: Decimal
  trades: number
}

/** A pool's price moved. */
export interface PriceMove {
  readonly tokenId: TokenId
  readonly atMs: number
  readonly before: Price
  readonly after: Price
  /** SOL that a trader paid, or was paid before the fee; 0 for a rug pull. */
  readonly volume: Sol
  /** 1 for a trade, 0 for a rug pull. */
  readonly trades: number
}

/** Collects what a batch does to the candles of every width. A candle opens at the price before its first move. */
export class CandleChanges {
  readonly #changes = new Map<string, CandleChange>()

  add(move: PriceMove): void {
    for (const width of CANDLE_WIDTHS) {
      const bucketMs = move.atMs - (move.atMs % (width * 1_000))
      const key = `${move.tokenId}:${width}:${bucketMs}`
      const change = this.#changes.get(key)
      if (change === undefined) this.#changes.set(key, opening(move, width, bucketMs))
      else extend(change, move)
    }
  }

  all(): CandleChange[] {
    return [...this.#changes.values()]
  }
}

function opening(move: PriceMove, width: number, bucketMs: number): CandleChange {
  const { tokenId, before: open, after: close, volume, trades } = move
  const high = Decimal.max(open, close)
  const low = Decimal.min(open, close)
  return { tokenId, width, bucketMs, open, high, low, close, volume, trades }
}

function extend(change: CandleChange, { after, volume, trades }: PriceMove): void {
  change.high = Decimal.max(change.high, after)
  change.low = Decimal.min(change.low, after)
  change.close = after
  change.volume = change.volume.add(volume)
  change.trades += trades
}
