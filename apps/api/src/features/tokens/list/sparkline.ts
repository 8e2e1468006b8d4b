import { SPARKLINE_STEPS } from '@papermoon/contract/tokens'

interface PriceLine {
  readonly startMs: number
  readonly endMs: number
  /** The price at the start. */
  readonly firstPrice: string
  /** Closing prices of candles by the end of each, oldest first. The last may end in the future. */
  readonly closes: readonly { readonly atMs: number; readonly price: string }[]
}

/** Prices at equal distances from the start to the end, both included; between trades the last price goes on. */
export function toSparkline({ startMs, endMs, firstPrice, closes }: PriceLine): string[] {
  const points = [firstPrice]
  let price = firstPrice
  let next = 0
  for (let step = 1; step <= SPARKLINE_STEPS; step++) {
    const atMs = startMs + ((endMs - startMs) * step) / SPARKLINE_STEPS
    for (; next < closes.length; next++) {
      const close = closes[next]
      if (close === undefined || Math.min(close.atMs, endMs) > atMs) break
      price = close.price
    }
    points.push(price)
  }
  return points
}
