import type { Db } from '@papermoon/db'
import type { AppPart } from '../../../context.ts'
import type { AccountEvent } from './account-events.ts'
import { insertAccountEvent, logUnlogged } from './event-store.ts'

/** Records how an operator's command changed an account. A running server then writes the event to the security log. */
export async function recordOperatorEvent(
  db: Db,
  { userId, kind, detail = {} }: AccountEvent,
  at = new Date(),
): Promise<void> {
  await insertAccountEvent(db, {
    userId,
    kind,
    at,
    address: null,
    browser: null,
    detail: { ...detail, by: 'operator' },
    mergeKey: null,
    isLogged: false,
  })
}

/** Writes events that commands recorded to the security log. One node writes each event. */
export async function logOperatorEvents({
  platform: { db },
  accounts: { securityLog },
}: AppPart<'db' | 'securityLog'>): Promise<void> {
  await logUnlogged(db, ({ kind, userId, at, detail }) => {
    securityLog.done({ kind, userId, ip: null, at: at.toISOString(), detail })
  })
}
