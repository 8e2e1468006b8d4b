import type { Inputs } from '../../../lib/api/api.ts'

/** What limits a key beside its scopes, as the form has it. */
export interface KeyLimits {
  /** A day, `2026-11-29`; empty: it does not end by itself. */
  readonly lastDay: string
  /** Separated by commas or spaces; empty: it works from everywhere. */
  readonly networks: string
}

export const NO_LIMITS: KeyLimits = { lastDay: '', networks: '' }

/** The limits as the server takes them; a key works to the end of its last day, where the player is. */
export function toInput({ lastDay, networks }: KeyLimits): Pick<Inputs['keys']['create'], 'expiresAt' | 'networks'> {
  const names = networks.split(/[\s,;]+/).filter((name) => name !== '')
  return {
    ...(lastDay !== '' && { expiresAt: new Date(`${lastDay}T23:59:59`).toISOString() }),
    ...(names.length > 0 && { networks: names }),
  }
}
