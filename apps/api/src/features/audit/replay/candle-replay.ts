import { Decimal, type Price, type Sol } from '@papermoon/amm'
import type { Differences } from '../differences.ts'
import type { CandleRow } from '../store.ts'
import type { TokenRows } from './token-rows.ts'

/** A price change at a time in Unix ms. A rug pull has no volume and does not count as a trade. */
export interface PriceMove {
  readonly atMs: number
  readonly before: Price
  readonly after: Price
  readonly volume: Sol
  readonly trades: 0 | 1
}

interface Candle {
  readonly bucketMs: number
  readonly open: Price
  high: Price
  low: Price
  close: Price
  volume: Sol
  trades: number
}

/** Rebuilds a token's candles of one width from its price changes, and compares each candle when it closes. */
export class CandleReplay {
  readonly #tokenId: number
  readonly #where: string
  readonly #widthMs: number
  readonly #rows: TokenRows<CandleRow>
  readonly #differences: Differences
  #forming: Candle | null = null

  constructor(
    token: { readonly id: number; readonly where: string },
    candles: { readonly width: number; readonly rows: TokenRows<CandleRow> },
    differences: Differences,
  ) {
    this.#tokenId = token.id
    this.#where = `${token.where}, ${candles.width}-second candle at`
    this.#widthMs = candles.width * 1_000
    this.#rows = candles.rows
    this.#differences = differences
  }

  async add(move: PriceMove): Promise<void> {
    const bucketMs = move.atMs - (move.atMs % this.#widthMs)
    if (this.#forming?.bucketMs !== bucketMs) {
      await this.#close()
      const { before: open } = move
      this.#forming = { bucketMs, open, high: open, low: open, close: open, volume: new Decimal(0), trades: 0 }
    }
    const candle = this.#forming
    candle.high = Decimal.max(candle.high, move.after)
    candle.low = Decimal.min(candle.low, move.after)
    candle.close = move.after
    candle.volume = candle.volume.add(move.volume)
    candle.trades += move.trades
  }

  /** Compares the token's last candle. Call `finish` after the token's last price change. */
  async finish(): Promise<void> {
    await this.#close()
    await this.#skipBefore(Number.POSITIVE_INFINITY)
  }

  async #close(): Promise<void> {
    if (this.#forming === null) return
    const candle = this.#forming
    const row = await this.#skipBefore(candle.bucketMs)
    if (row?.bucket.getTime() !== candle.bucketMs) return this.#report(candle.bucketMs, 'the candle is missing')
    await this.#rows.take(this.#tokenId)
    const stored = (text: string | number) => new Decimal(text)
    this.#differences.compare(this.#toName(candle.bucketMs), [
      { figure: 'open', stored: stored(row.open), expected: candle.open },
      { figure: 'high', stored: stored(row.high), expected: candle.high },
      { figure: 'low', stored: stored(row.low), expected: candle.low },
      { figure: 'close', stored: stored(row.close), expected: candle.close },
      { figure: 'volume', stored: stored(row.volume), expected: candle.volume },
      { figure: 'number of trades', stored: stored(row.trades), expected: new Decimal(candle.trades) },
    ])
  }

  /**
   * Reports stored candles before `bucketMs` that do not come from any trade. Returns the first candle at `bucketMs` or
   * later.
   */
  async #skipBefore(bucketMs: number): Promise<CandleRow | undefined> {
    for (;;) {
      const row = await this.#rows.peek(this.#tokenId)
      if (row === undefined || row.bucket.getTime() >= bucketMs) return row
      this.#report(row.bucket.getTime(), 'the candle is stored, but it has no trades')
      await this.#rows.take(this.#tokenId)
    }
  }

  #report(bucketMs: number, what: string): void {
    this.#differences.add(this.#toName(bucketMs), what)
  }

  #toName(bucketMs: number): string {
    return `${this.#where} ${new Date(bucketMs).toISOString()}`
  }
}
