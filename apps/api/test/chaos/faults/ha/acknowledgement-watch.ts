import { setTimeout as sleep } from 'node:timers/promises'
import type { Load } from '../../support/load.ts'

const LOOK_EVERY_MS = 10

/** When a load's orders were acknowledged, and when they got 503. */
export interface AcknowledgementWatch {
  /** Resolves at the first acknowledgement after a moment (of `performance.now()`); rejects after too long. */
  untilAfter(momentMs: number, maxMs: number): Promise<void>
  /** The longest time without one since a moment, and when it ended. */
  findLongestGap(sinceMs: number): { readonly lengthMs: number; readonly endMs: number }
  /** Resolves once no order has got 503 for so long; rejects when that takes longer than `maxMs`. */
  untilQuiet(quietMs: number, maxMs: number): Promise<void>
  /** When an order last got 503; null: never since the watch began. */
  lastUnavailableMs(): number | null
  stop(): void
}

export function watchAcknowledgements(load: Load): AcknowledgementWatch {
  const moments: number[] = [performance.now()]
  let count = load.acknowledged.length
  let unavailable = load.unavailable.length
  let lastUnavailableMs: number | null = null
  const look = () => {
    const nowMs = performance.now()
    if (load.acknowledged.length > count) moments.push(nowMs)
    if (load.unavailable.length > unavailable) lastUnavailableMs = nowMs
    count = load.acknowledged.length
    unavailable = load.unavailable.length
  }
  const timer = setInterval(look, LOOK_EVERY_MS)
  return {
    untilAfter: async (momentMs, maxMs) => {
      while ((moments.at(-1) ?? 0) <= momentMs) {
        if (performance.now() - momentMs > maxMs)
          throw new Error(`no order was placed for ${Math.round(maxMs / 1_000)} s`)
        await sleep(LOOK_EVERY_MS)
      }
    },
    findLongestGap: (sinceMs) => {
      // The last one before, since the gap may have begun there.
      const first = Math.max(
        0,
        moments.findLastIndex((moment) => moment <= sinceMs),
      )
      let longest = { lengthMs: 0, endMs: sinceMs }
      for (let place = first + 1; place < moments.length; place++) {
        const [before = 0, endMs = 0] = moments.slice(place - 1, place + 1)
        const lengthMs = endMs - Math.max(sinceMs, before)
        if (lengthMs > longest.lengthMs) longest = { lengthMs, endMs }
      }
      return longest
    },
    untilQuiet: async (quietMs, maxMs) => {
      const startMs = performance.now()
      while (performance.now() - Math.max(startMs, lastUnavailableMs ?? 0) < quietMs) {
        if (performance.now() - startMs > maxMs) throw new Error(`orders are refused for more than ${maxMs / 1_000} s`)
        await sleep(LOOK_EVERY_MS)
      }
    },
    lastUnavailableMs: () => lastUnavailableMs,
    stop: () => clearInterval(timer),
  }
}
