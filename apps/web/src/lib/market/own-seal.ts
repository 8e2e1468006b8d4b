import { Decimal } from '@papermoon/amm'
import { useCallback, useSyncExternalStore } from 'react'
import type { Inputs, Token } from '../api/api.ts'
import { serverNow } from '../api/server-now.ts'
import { formatMoment } from '../format/moment-text.ts'
import { FOREVER } from './seal.ts'

export type Seal = NonNullable<Token['seal']>
export type SealTerm = Inputs['trading']['seal']['term']

const HOUR_MS = 3_600_000
const CHECK_MS = 1_000

export const SEAL_TERMS = [
  { value: 'hour', label: '1 hour', ms: HOUR_MS },
  { value: 'day', label: '1 day', ms: 24 * HOUR_MS },
  { value: 'week', label: '1 week', ms: 7 * 24 * HOUR_MS },
  { value: 'ever', label: 'For ever', ms: Number.POSITIVE_INFINITY },
] as const satisfies readonly { value: SealTerm; label: string; ms: number }[]

/** Formats the end of a seal for a sentence, such as `until 14 Nov, 10:32`. */
export function formatSealEnd(until: string): string {
  return until === FOREVER ? 'for ever' : `until ${formatMoment(until)}`
}

/** Returns the end of a seal with this duration that begins at `nowMs`. */
export function sealEndOf(term: SealTerm, nowMs: number): string {
  const { ms } = SEAL_TERMS.find(({ value }) => value === term) ?? SEAL_TERMS[0]
  return Number.isFinite(ms) ? new Date(nowMs + ms).toISOString() : FOREVER
}

/**
 * Returns the options that extend a seal. An extension must add at least a tenth of the seal's length, unless it also
 * seals more tokens. A permanent seal cannot become longer, but the creator can seal more tokens.
 */
export function longerTerms(seal: Seal | null, held: string, nowMs: number) {
  const { liquidityUntil = null, bagUntil = null, bagTokens = '0' } = seal ?? {}
  const isBagWhole = held === '0' || (bagUntil === liquidityUntil && new Decimal(held).lte(bagTokens))
  if (liquidityUntil === FOREVER) return isBagWhole ? [] : SEAL_TERMS.slice(-1)
  const untilMs = liquidityUntil === null ? nowMs : Date.parse(liquidityUntil)
  return SEAL_TERMS.filter(({ ms }) => untilMs <= nowMs || nowMs + ms - untilMs >= (isBagWhole ? ms / 10 : 1))
}

export function freeAmount(held: string, sealed: SealedBag | null): string {
  return sealed === null ? held : Decimal.max(0, new Decimal(held).sub(sealed.tokens)).toFixed()
}

/** Returns `time` until it has passed, and then null. */
export function useUntil(time: string | null): string | null {
  const untilMs = time === null ? 0 : Date.parse(time)
  const subscribe = useCallback(
    (notify: () => void) => {
      const timer = untilMs > serverNow() ? setInterval(notify, CHECK_MS) : undefined
      return () => clearInterval(timer)
    },
    [untilMs],
  )
  return useSyncExternalStore(subscribe, () => (serverNow() < untilMs ? time : null))
}

export interface SealedBag {
  readonly tokens: string
  readonly until: string
}

/** Returns the sealed part of a player's holding, or null if no part is sealed. */
export function useSealedBag(
  { creator, seal }: Pick<Token, 'creator' | 'seal'>,
  userId: number | null,
): SealedBag | null {
  const until = useUntil(creator.id === userId ? (seal?.bagUntil ?? null) : null)
  return until === null || seal == null ? null : { tokens: seal.bagTokens, until }
}
