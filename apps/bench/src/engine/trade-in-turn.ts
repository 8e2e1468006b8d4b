import { performance } from 'node:perf_hooks'
import { createRandom, randomInt } from '../random.ts'
import type { DrivePlan, DriveResult } from './driver-plan.ts'

/** SOL of each buy. */
export const BUY_SOL = '0.01'

/** A trade under way, by one player of one token; `held` is what the last buy left, null for none. Returns what is held now. */
export type TradeOnce = (order: { userId: number; tokenId: number; held: string | null }) => Promise<string | null>

/**
 * Keeps so many trades under way. Each lane has players of its own, so that a player has one at a time; a player buys of a
 * token, and sells all of it when the lane comes by again.
 */
export async function tradeInTurn(
  { tokens, players, inFlight, seconds }: DrivePlan,
  trade: TradeOnce,
): Promise<DriveResult> {
  const random = createRandom(Date.now() % 1_000_003)
  const perLane = Math.floor(players / inFlight)
  const startedMs = performance.now()
  const cpuBefore = process.cpuUsage()
  const untilMs = startedMs + seconds * 1_000
  let done = 0
  let waitedMs = 0
  const drive = async (lane: number) => {
    const holdings = new Map<number, { tokenId: number; held: string }>()
    for (let sentMs = performance.now(); sentMs < untilMs; ) {
      const userId = lane * perLane + randomInt(random, perLane) + 1
      const holding = holdings.get(userId)
      const tokenId = holding?.tokenId ?? randomInt(random, tokens) + 1
      const held = await trade({ userId, tokenId, held: holding?.held ?? null })
      if (held === null) holdings.delete(userId)
      else holdings.set(userId, { tokenId, held })
      const nowMs = performance.now()
      done++
      waitedMs += nowMs - sentMs
      sentMs = nowMs
    }
  }
  await Promise.all(Array.from({ length: inFlight }, (_, lane) => drive(lane)))
  const { user, system } = process.cpuUsage(cpuBefore)
  const tookMs = performance.now() - startedMs
  return { perSecond: done / (tookMs / 1_000), meanMs: waitedMs / done, nodeUs: (user + system) / done }
}
