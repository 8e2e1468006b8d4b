import { EXPIRY_DAYS_MAX } from '@papermoon/contract/keys'
import type { Clock } from '@papermoon/engine'
import { DAY_MS } from '../../lib/durations.ts'
import { createBadInput, toFieldError } from '../../validation/messages.ts'

/** Throws `BadInputError` for a time that is past or too far ahead. */
export function assertExpiry(expires: Date | null, clock: Clock): void {
  if (expires === null) return
  const inMs = expires.getTime() - clock.now().getTime()
  if (inMs > 0 && inMs <= EXPIRY_DAYS_MAX * DAY_MS) return
  throw createBadInput([toFieldError(['expiresAt'], `must be in the future, and at most ${EXPIRY_DAYS_MAX} days away`)])
}
