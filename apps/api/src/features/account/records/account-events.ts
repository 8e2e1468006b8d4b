import type { AccountEventKind } from '@papermoon/contract/account'
import type { Db, Tx } from '@papermoon/db'
import type { UserId } from '@papermoon/engine'
import bowser from 'bowser'
import { sql } from 'kysely'
import type { AppPart, Context } from '../../../context.ts'
import { DAY_MS } from '../../../lib/durations.ts'
import type { SecurityLine } from '../../../security/security-log.ts'

/** Max number of rows per account and day. Beyond this number, events of the same kind share a row. */
const ROWS_A_DAY_MAX = 200

const UNLOGGED_BATCH = 100

interface NewAccountEvent {
  readonly userId: UserId
  readonly kind: string
  readonly at: Date
  readonly address: string | null
  readonly browser: string | null
  readonly detail: Readonly<Record<string, string | number | boolean | null>>
  /** Events with the same key are counted in one row. */
  readonly mergeKey: string | null
  readonly isLogged: boolean
}

interface UnloggedEvent {
  readonly kind: string
  readonly userId: number
  readonly at: Date
  readonly detail: NewAccountEvent['detail']
}

export interface AccountEvent {
  readonly userId: UserId
  readonly kind: AccountEventKind
  /**
   * Short facts that the player sees, such as a key's name or the way of logging in. These facts never contain a
   * secret.
   */
  readonly detail?: Readonly<Record<string, string | number | boolean | null>>
}

/** The caller who caused the event; null for a background job of the server. */
type Caller = Pick<Context, 'ip' | 'userAgent'> | null

/** Kinds of events that strangers can cause in any number. */
const REFUSALS: ReadonlySet<AccountEventKind> = new Set(['sign_in_refused', 'reset_refused', 'reset_requested'])

/** Kinds of events that programs may cause all day. Events from one browser within an hour are merged into one row. */
const FREQUENT: ReadonlySet<AccountEventKind> = new Set(['signed_in', 'signed_out'])

const HOUR_CHARACTERS = 'YYYY-MM-DDTHH'.length

/**
 * Records an account event: a row that the player can see for 90 days, and a line in the security log. With `tx`, the
 * row is part of that transaction; call this function last in the transaction. Without `tx`, the call never rejects: if
 * the row cannot be written, the failure is logged.
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

/**
 * Writes to the security log the events that commands recorded. If there are several nodes, only one of them writes
 * each event.
 */
export async function logOperatorEvents({
  platform: { db },
  accounts: { securityLog },
}: AppPart<'db' | 'securityLog'>): Promise<void> {
  await logUnlogged(db, ({ kind, userId, at, detail }) => {
    securityLog.done({ kind, userId, ip: null, at: at.toISOString(), detail })
  })
}

/** Inserts an event, or counts it in the row with its merge key. The number of rows per account and day is limited. */
async function insertAccountEvent(db: Db, event: NewAccountEvent): Promise<void> {
  const { userId, kind, at, address, browser, detail, mergeKey, isLogged } = event
  const dayAgo = new Date(at.getTime() - DAY_MS)
  const day = `day ${at.toISOString().slice(0, 10)}`
  await sql`
    insert into account_events as e (user_id, kind, at, address, browser, detail, merge_key, is_logged)
    values (${userId}, ${kind}, ${at}, ${address}, ${browser}, ${JSON.stringify(detail)},
      case when (select count(*) from (
          select 1 from account_events where user_id = ${userId} and at > ${dayAgo} limit ${ROWS_A_DAY_MAX}) recent
        ) < ${ROWS_A_DAY_MAX} then ${mergeKey}::text else ${day} end,
      ${isLogged})
    on conflict (user_id, kind, merge_key) where merge_key is not null do update
      set times = e.times + 1, at = greatest(e.at, excluded.at), address = excluded.address, browser = excluded.browser,
          detail = excluded.detail, is_logged = e.is_logged and excluded.is_logged`.execute(db)
}

/**
 * Passes a limited number of events that are not logged yet to `log`, and marks them as logged. After a crash, some
 * events may be logged twice.
 */
export async function logUnlogged(db: Db, log: (event: UnloggedEvent) => void): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const events = await tx
      .selectFrom('account_events')
      .select(['id', 'kind', 'user_id', 'at', 'detail'])
      .where('is_logged', '=', false)
      .orderBy('id')
      .limit(UNLOGGED_BATCH)
      .forUpdate()
      .skipLocked()
      .execute()
    if (events.length === 0) return
    for (const { kind, user_id, at, detail } of events) log({ kind, userId: user_id, at, detail })
    const ids = events.map((event) => event.id)
    await tx.updateTable('account_events').set({ is_logged: true }).where('id', 'in', ids).execute()
  })
}

/** Max length of a user agent that is parsed, in characters. Browsers send 100 to 250 characters. */
const USER_AGENT_MAX = 400
/** Matches the first product name in a program's user agent, such as `curl/8.5.0`. */
const PRODUCT = /^([A-Za-z][\w.-]{0,30})(?:\/([\d.]{1,15}))?/
const PLAIN = /^[\w. -]{1,40}$/

/**
 * Returns a readable name for a user agent: "Firefox 128 on Linux", "curl 8" or "unknown browser". Clients can send any
 * text, so the result contains only letters, digits, spaces, dots, hyphens and underscores, and only its player can see
 * it.
 */
export function describeBrowser(userAgent: string | null): string {
  const text = (userAgent ?? '').slice(0, USER_AGENT_MAX)
  if (text === '') return 'unknown browser'
  const { browser, os } = bowser.parse(text)
  // If the OS is unknown, bowser returns the client's own text, so leave it out.
  const [name, version] = os.name ? [browser.name, browser.version] : (PRODUCT.exec(text)?.slice(1) ?? [])
  if (!name || !PLAIN.test(name)) return 'unknown browser'
  const major = /^\d{1,5}/.exec(version ?? '')?.[0]
  return [name, major, os.name && PLAIN.test(os.name) ? `on ${os.name}` : undefined].filter(Boolean).join(' ')
}
