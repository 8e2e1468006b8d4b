import { DAY_MS, HOUR_MS } from './figures.ts'

/**
 * A creator's seal on a token: the end times of its two parts, in Unix ms. For a part that was never sealed, the end
 * time is 0.
 */
export interface Seal {
  /** Time before which nobody can pull the rug. */
  readonly liquidityUntilMs: number
  /** Time before which the creator cannot sell `bagTokens`. */
  readonly bagUntilMs: number
  readonly bagTokens: number
}

/** A seal as events and the database contain it, with times as ISO 8601 and amounts as decimal text. */
export interface SealTexts {
  readonly liquidityUntil: string | null
  readonly bagUntil: string | null
  readonly bagTokens: string
}

/** Length of each seal term, in ms. */
export const SEAL_TERMS_MS = { hour: HOUR_MS, day: DAY_MS, week: 7 * DAY_MS, ever: Number.POSITIVE_INFINITY }

export interface SealRequest {
  readonly term: keyof typeof SEAL_TERMS_MS
  /** Whether the seal includes the creator's tokens. */
  readonly bag: boolean
}

export const NO_SEAL: Seal = { liquidityUntilMs: 0, bagUntilMs: 0, bagTokens: 0 }

export function toSeal(texts: SealTexts | null): Seal {
  if (texts === null) return NO_SEAL
  const { liquidityUntil, bagUntil, bagTokens } = texts
  return { liquidityUntilMs: toMs(liquidityUntil), bagUntilMs: toMs(bagUntil), bagTokens: Number(bagTokens) }
}

const toMs = (iso: string | null) => (iso === null ? 0 : Date.parse(iso))

export const isLiquiditySealed = ({ liquidityUntilMs }: Seal, nowMs: number): boolean => nowMs < liquidityUntilMs

/** Returns the number of tokens that the creator cannot sell now. */
export const countSealedTokens = ({ bagUntilMs, bagTokens }: Seal, nowMs: number): number =>
  nowMs < bagUntilMs ? bagTokens : 0

/** Returns when the first current part of the seal ends, or 0 if the pool can be drained now. */
export function toSealEnd({ liquidityUntilMs, bagUntilMs, bagTokens }: Seal, nowMs: number): number {
  if (nowMs >= liquidityUntilMs) return 0
  return bagTokens > 0 && nowMs < bagUntilMs ? Math.min(liquidityUntilMs, bagUntilMs) : liquidityUntilMs
}
