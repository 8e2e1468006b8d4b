import type { Inputs } from '../../../lib/api/api.ts'

/** An API key's limits in addition to its scopes, as form values. */
export interface KeyLimits {
  /** The last day on which the key is valid, such as `2026-11-29`. The field is empty if the key never expires. */
  readonly lastDay: string
  /** Allowed networks, separated by commas or spaces, or empty to allow every IP address. */
  readonly networks: string
  /** Max SOL that the key may spend per day, or empty for no limit. */
  readonly spending: string
  /** Whether the text in the field `spending` is not an amount. */
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
