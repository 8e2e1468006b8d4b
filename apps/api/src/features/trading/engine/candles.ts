import type { Decimal, Price, Sol } from '@papermoon/amm'
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

const [NARROWEST, ...WIDER] = CANDLE_WIDTHS

/** Collects what a batch does to the candles of every width. A candle opens at the price before its first move. */
export class CandleChanges {
  /** Of the narrowest width only; the wider ones follow from these. Each token's are in the order of time. */
  readonly #minutes = new Map<TokenId, CandleChange[]>()

  /** Moves of one token come in the order of time. */
  add(move: PriceMove): void {
    const bucketMs = bucketOf(move.atMs, NARROWEST)
    const minutes = this.#minutes.get(move.tokenId)
    const last = minutes?.at(-1)
    if (last?.bucketMs === bucketMs) extend(last, moveAlone(move))
    else if (minutes !== undefined) minutes.push(opening(move, bucketMs))
    else this.#minutes.set(move.tokenId, [opening(move, bucketMs)])
  }

  all(): CandleChange[] {
    const minutes = [...this.#minutes.values()]
    return [...minutes.flat(), ...WIDER.flatMap((width) => minutes.flatMap((of) => widened(of, width)))]
  }
}

/** One token's candles merged into wider ones. */
function widened(minutes: readonly CandleChange[], width: number): CandleChange[] {
  const wide: CandleChange[] = []
  for (const minute of minutes) {
    const bucketMs = bucketOf(minute.bucketMs, width)
    const last = wide.at(-1)
    if (last?.bucketMs === bucketMs) extend(last, minute)
    else wide.push({ ...minute, width, bucketMs })
  }
  return wide
}

function bucketOf(atMs: number, width: number): number {
  return atMs - (atMs % (width * 1_000))
}

function opening(move: PriceMove, bucketMs: number): CandleChange {
  const { tokenId, before: open, after: close, volume, trades } = move
  const [low, high] = close.lt(open) ? [close, open] : [open, close]
  return { tokenId, width: NARROWEST, bucketMs, open, high, low, close, volume, trades }
}

function moveAlone({ after, volume, trades }: PriceMove): Extension {
  return { high: after, low: after, close: after, volume, trades }
}

type Extension = Pick<CandleChange, 'high' | 'low' | 'close' | 'volume' | 'trades'>

function extend(change: CandleChange, { high, low, close, volume, trades }: Extension): void {
  if (high.gt(change.high)) change.high = high
  if (low.lt(change.low)) change.low = low
  change.close = close
  change.volume = change.volume.add(volume)
  change.trades += trades
}
