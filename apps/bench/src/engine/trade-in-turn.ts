import { performance } from 'node:perf_hooks'
import { createRandom, randomInt } from '../random.ts'
import type { DrivePlan, DriveResult } from './start-driver.ts'

/** SOL of each buy. */
export const BUY_SOL = '0.01'

/**
 * Executes one player's trade of a token. `held` is the amount from the last buy, or null for none. Resolves to the new
 * amount.
 */
export type TradeOnce = (order: { userId: number; tokenId: number; held: string | null }) => Promise<string | null>

/**
 * Keeps a number of trades in flight. Each lane has its own players, so that a player has one trade at a time. A player
 * buys a token, and sells all of it in the lane's next turn.
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
  const waitsMs: number[] = []
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
      waitsMs.push(nowMs - sentMs)
      sentMs = nowMs
    }
  }
  await Promise.all(Array.from({ length: inFlight }, (_, lane) => drive(lane)))
  const { user, system } = process.cpuUsage(cpuBefore)
  const tookMs = performance.now() - startedMs
  const done = waitsMs.length
  const meanMs = waitsMs.reduce((sum, ms) => sum + ms, 0) / done
  const p99Ms = waitsMs.sort((a, b) => a - b)[Math.floor(0.99 * done)] ?? Number.NaN
  return { perSecond: done / (tookMs / 1_000), meanMs, p99Ms, nodeUs: (user + system) / done }
}
