import type { Inputs } from '../../../lib/api/api.ts'

/** A key's limits besides scopes, as form values. */
export interface KeyLimits {
  /** A day, `2026-11-29`; empty means no expiry. */
  readonly lastDay: string
  /** Separated by commas or spaces; empty allows every address. */
  readonly networks: string
  /** SOL a day; empty allows any amount. */
  readonly spending: string
  /** Whether the field of `spending` shows a text that is no amount. */
  readonly isUnreadable: boolean
}

export const NO_LIMITS: KeyLimits = { lastDay: '', networks: '', spending: '', isUnreadable: false }

/** Converts the form's limits to API input. A key expires at the end of its last day, local time. */
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
