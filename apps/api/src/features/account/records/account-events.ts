import type { AccountEventKind } from '@papermoon/contract/account'
import type { Tx } from '@papermoon/db'
import type { UserId } from '@papermoon/engine'
import type { AppPart, Context } from '../../../context.ts'
import type { SecurityLine } from '../../../security/security-log.ts'
import { describeBrowser } from '../sign-in/browser-name.ts'
import { insertAccountEvent } from './event-store.ts'

export interface AccountEvent {
  readonly userId: UserId
  readonly kind: AccountEventKind
  /** Short facts for the player, such as a key's name or the way of logging in. Never a secret. */
  readonly detail?: Readonly<Record<string, string | number | boolean | null>>
}

/** The caller; null for a background job of the server. */
type Caller = Pick<Context, 'ip' | 'userAgent'> | null

/** Kinds of events that strangers can cause in any number. */
const REFUSALS: ReadonlySet<AccountEventKind> = new Set(['sign_in_refused', 'reset_refused', 'reset_requested'])
/** Kinds of events that programs may cause all day. Events from one browser within an hour are merged into one row. */
const FREQUENT: ReadonlySet<AccountEventKind> = new Set(['signed_in', 'signed_out'])
const HOUR_CHARACTERS = 'YYYY-MM-DDTHH'.length

/**
 * Records an account event: a row that the player can see for 90 days, and a line in the security log. With `tx`, the
 * row is part of the transaction; make this call the transaction's last. Without `tx`, it never rejects: if the row
 * cannot be written, the failure is logged.
 */
export async function recordAccountEvent(
  app: AppPart<'db' | 'log' | 'clock' | 'securityLog'>,
  caller: Caller,
  event: AccountEvent,
  tx?: Tx,
): Promise<void> {
  const { userId, kind, detail = {} } = event
  const at = app.platform.clock.now()
  const address = caller?.ip ?? null
  const browser = caller === null ? null : describeBrowser(caller.userAgent)
  const mergeKey = toMergeKey(event, { at, address, browser })
  const row = { userId, kind, at, address, browser, detail, mergeKey, isLogged: true }
  if (tx === undefined) {
    await insertAccountEvent(app.platform.db, row).catch((error: unknown) => {
      app.platform.log.error({ err: error, userId, kind }, 'an account event could not be recorded')
    })
  } else await insertAccountEvent(tx, row)
  const line: SecurityLine = { kind, userId, ip: address, browser, detail }
  if (REFUSALS.has(kind)) app.accounts.securityLog.refused(line)
  else app.accounts.securityLog.done(line)
}

/**
 * Returns the key with which events are merged. Equal rejections within an hour share one row per account, so a flood
 * adds only one row.
 */
function toMergeKey(
  { kind, detail = {} }: AccountEvent,
  { at, address, browser }: { at: Date; address: string | null; browser: string | null },
): string | null {
  const hour = at.toISOString().slice(0, HOUR_CHARACTERS)
  if (REFUSALS.has(kind)) return [hour, ...Object.values(detail)].join(' ')
  return FREQUENT.has(kind) ? `${hour} ${address} ${browser}` : null
}
