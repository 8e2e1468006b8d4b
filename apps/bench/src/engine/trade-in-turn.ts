import { performance } from 'node:perf_hooks'
import { parseSol, parseTokens } from '@papermoon/amm'
import type { TokenId, TradingEngine, UserId } from '@papermoon/engine'
import { createRandom, randomInt } from '../random.ts'

/** SOL of each buy. */
export const BUY_SOL = '0.01'

export interface DrivePlan {
  /** Number of tokens to trade; their ids begin at 1. All of these tokens get about the same number of trades. */
  readonly tokens: number
  readonly players: number
  /** Number of concurrent trades, one per player. */
  readonly inFlight: number
  readonly seconds: number
}

export type DriveResult = {
  readonly perSecond: number
  readonly meanMs: number
  /** The 99th percentile of the trades' latency. Absent if unknown. */
  readonly p99Ms?: number
  /**
   * CPU time of this process per trade in µs, including the generation of orders. Undefined if the CPU time is unknown.
   */
  readonly nodeUs?: number
}

/**
 * Executes one player's trade of a token. `held` is the amount from the last buy, or null if there is none. The promise
 * resolves to the new amount.
 */
type TradeOnce = (order: { userId: number; tokenId: number; held: string | null }) => Promise<string | null>

/** Trades through the engine; `firstId` is the id of the plan's first token. */
export function tradeByEngine(engine: TradingEngine, firstId = 1): TradeOnce {
  const sol = parseSol(BUY_SOL)
  return async ({ userId, tokenId, held }) => {
    const who = { userId: userId as UserId, tokenId: (firstId + tokenId - 1) as TokenId }
    if (held === null) return (await engine.submit({ ...who, kind: 'buy', sol })).trade.tokenAmount
    await engine.submit({ ...who, kind: 'sell', tokens: parseTokens(held) })
    return null
  }
}

/**
 * Runs a fixed number of trades at the same time. Each lane has its own players, so that a player has one trade at a
 * time. In one turn of the lane, a player buys a token, and in the next turn the player sells all of it.
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
