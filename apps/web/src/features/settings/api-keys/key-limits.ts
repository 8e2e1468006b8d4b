import type { Inputs } from '../../../lib/api/api.ts'

/** An API key's limits besides its scopes, as form values. */
export interface KeyLimits {
  /** The last valid day, such as `2026-11-29`; empty means that the key never expires. */
  readonly lastDay: string
  /** Allowed networks, separated by commas or spaces; empty allows every IP address. */
  readonly networks: string
  /** Max SOL per day that the key can spend; empty allows any amount. */
  readonly spending: string
  /** Whether the `spending` field shows a text that is not an amount. */
  readonly isUnreadable: boolean
}

export const NO_LIMITS: KeyLimits = { lastDay: '', networks: '', spending: '', isUnreadable: false }

/** Converts the form's limits to API input. A key expires at the end of its last day in local time. */
export function toInput({
  lastDay,
  networks,
  spending,
}: KeyLimits): Pick<Inputs['keys']['create'], 'expiresAt' | 'networks' | 'spendingLimit'> {
  const names = networks.split(/[\s,;]+/).filter((name) => name !== '')
  return {
    ...(lastDay !== '' && { expiresAt: new Date(`${lastDay}T23:59:59`).toISOString() }),
    ...(names.length > 0 && { networks: names }),
    ...(spending !== '' && { spendingLimit: spending.replace(/\.$/, '') }),
  }
}
