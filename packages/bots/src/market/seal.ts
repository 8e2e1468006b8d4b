import { DAY_MS, HOUR_MS } from './figures.ts'

/** A creator's seal of a token. Each part holds until its time in Unix ms; 0 if never sealed. */
export interface Seal {
  /** Nobody can drain the pool before this time. */
  readonly liquidityUntilMs: number
  /** The creator cannot sell `bagTokens` before this time. */
  readonly bagUntilMs: number
  readonly bagTokens: number
}

/** A seal in events and the database: times as ISO 8601, amounts as decimal texts. */
export interface SealTexts {
  readonly liquidityUntil: string | null
  readonly bagUntil: string | null
  readonly bagTokens: string
}

/** How long a new seal lasts, in ms. */
export const SEAL_TERMS_MS = { hour: HOUR_MS, day: DAY_MS, week: 7 * DAY_MS, ever: Number.POSITIVE_INFINITY }

export interface SealWish {
  readonly term: keyof typeof SEAL_TERMS_MS
  /** Whether the creator's tokens are sealed, too. */
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

/** Tokens that the creator cannot sell now. */
export const countSealedTokens = ({ bagUntilMs, bagTokens }: Seal, nowMs: number): number =>
  nowMs < bagUntilMs ? bagTokens : 0

/** When the first current part of the seal ends; 0 if the pool can be drained now. */
export function toSealEnd({ liquidityUntilMs, bagUntilMs, bagTokens }: Seal, nowMs: number): number {
  if (nowMs >= liquidityUntilMs) return 0
  return bagTokens > 0 && nowMs < bagUntilMs ? Math.min(liquidityUntilMs, bagUntilMs) : liquidityUntilMs
}
