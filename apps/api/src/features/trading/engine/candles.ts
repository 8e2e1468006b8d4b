import { Decimal } from '@papermoon/amm'
import { CANDLE_WIDTHS } from '../../../candle-widths.ts'
import type { TokenId } from '../../../ids.ts'
import type { TradeEffect } from './apply-trade.ts'

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

/** Collects what a batch's trades do to the candles of every width. A candle opens at the price before its first trade. */
export class CandleChanges {
  readonly #changes = new Map<string, CandleChange>()

  add({ trade, volume, priceBefore, pool }: TradeEffect): void {
    const atMs = pool.lastEventAtMs
    for (const width of CANDLE_WIDTHS) {
      const bucketMs = atMs - (atMs % (width * 1_000))
      const key = `${trade.tokenId}:${width}:${bucketMs}`
      const change = this.#changes.get(key)
      if (change === undefined) {
        this.#changes.set(key, opening({ tokenId: trade.tokenId, width, bucketMs }, priceBefore, pool.price, volume))
        continue
      }
      change.high = Decimal.max(change.high, pool.price)
      change.low = Decimal.min(change.low, pool.price)
      change.close = pool.price
      change.volume = change.volume.add(volume)
      change.trades++
    }
  }

  all(): CandleChange[] {
    return [...this.#changes.values()]
  }
}

type CandleKey = Pick<CandleChange, 'tokenId' | 'width' | 'bucketMs'>

function opening(key: CandleKey, open: Decimal, close: Decimal, volume: Decimal): CandleChange {
  return { ...key, open, high: Decimal.max(open, close), low: Decimal.min(open, close), close, volume, trades: 1 }
}
