import { useNow } from '../hooks/use-now.ts'

/** An answer is about as old as this; a smaller difference says nothing about the device's clock, ms. */
const DOUBT_MS = 2_000

let aheadMs = 0

/** Notes the server's time in an answer that has just come. */
export function noteServerTime(iso: string): void {
  const difference = Date.parse(iso) - Date.now()
  aheadMs = Math.abs(difference) < DOUBT_MS ? 0 : difference
}

/** The server's time in ms, updated every second; the device's own where the two agree. */
export function useServerNow(): number {
  return useNow() + aheadMs
}
