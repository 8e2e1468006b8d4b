import type { Decided, Line, LookInput, PlayerActInput } from '@papermoon/contract/admin'
import type { Tx } from '@papermoon/db'
import type { UserId } from '@papermoon/engine'
import { type RawBuilder, sql } from 'kysely'
import type { App } from '../../context.ts'
import { defineError } from '../../errors.ts'
import { lockPlayer, setAccountStatus } from './acts.ts'
import {
  assertMayJudge,
  BY_OPERATOR,
  carryOut,
  findRole,
  OnlyOperatorsError,
  OwnCaseError,
  toActingRole,
} from './decide.ts'
import { hasActInForce } from './has-act-in-force.ts'
import { aboutPlayer, appendAct, recordAct } from './log.ts'
import { PlayerNotFoundError } from './records.ts'

class NotSuspendedError extends defineError(
  'NOT_YOURS',
  'This account is not suspended. To unfreeze an account, run the operator command unsuspend.',
) {}

const LISTED_MAX = 50

/**
 * Takes an action against a player without a case, and logs it. Throws `PlayerNotFoundError`, `OwnCaseError`,
 * `OnlyOperatorsError` and `NotSuspendedError`.
 */
export async function actOnPlayer(app: App, actorId: UserId, input: PlayerActInput): Promise<Decided> {
  const { userId, act, minutes, reason } = input
  const { db, clock } = app.platform
  if (userId === actorId) throw new OwnCaseError()
  const as = toActingRole(await findRole(db, actorId))
  const now = clock.now()
  const logId = await db.transaction().execute(async (tx) => {
    if (!(await lockPlayer(tx, userId))) throw new PlayerNotFoundError()
    await assertMayJudge(tx, as, { userId, isNew: true })
    const thing = { kind: 'name', targetId: userId } as const
    const entry = { ...aboutPlayer(userId), actor: { userId: actorId, as }, act, reason, now }
    if (act === 'note') return await appendAct(tx, entry)
    if (act === 'unsuspend') {
      const byOperator = sql`${as} <> 'operator' and o.as_role in ('operator', 'command')`
      const suspended = { kind: 'name', target_id: userId, concerned_id: userId } as const
      if (await hasActInForce(tx, suspended, 'suspended', byOperator)) throw new OnlyOperatorsError(BY_OPERATOR)
      await unsuspend(tx, userId, now)
      return await recordAct(tx, entry)
    }
    const detail = await carryOut(tx, { ...thing, as, accusedId: userId, act, minutes, reason, now })
    return await recordAct(tx, { ...entry, detail })
  })
  if (act === 'suspend' || act === 'unsuspend') app.accounts.sessions.cache.clear()
  return { logId }
}

async function unsuspend(tx: Tx, userId: UserId, now: Date): Promise<void> {
  const before = await setAccountStatus(tx, userId, { status: 'active', reason: null, now })
  if (before !== 'suspended') throw new NotSuspendedError()
}

async function assertExists(tx: Tx, userId: UserId): Promise<void> {
  const found = await tx
    .selectFrom('users')
    .select('id')
    .where('id', '=', userId)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  if (found === undefined) throw new PlayerNotFoundError()
}

/**
 * Returns private data of a player that only operators can see. Logs the access before reading the data. Throws
 * `PlayerNotFoundError`.
 */
export async function look({ platform: { db, clock } }: App, actorId: UserId, input: LookInput): Promise<Line[]> {
  const { userId, at, reason } = input
  return await db.transaction().execute(async (tx) => {
    await assertExists(tx, userId)
    // Read before locking the log, because nothing may wait while the log is locked.
    const { rows } = await looks[at](userId).execute(tx)
    await appendAct(tx, {
      ...aboutPlayer(userId),
      actor: { userId: actorId, as: 'operator' },
      act: `look-${at}`,
      reason,
      now: clock.now(),
    })
    return rows
  })
}

const MINUTE = sql.lit('YYYY-MM-DD HH24:MI')

const looks: Readonly<Record<LookInput['at'], (userId: UserId) => RawBuilder<Line>>> = {
  sessions: (userId) => sql<Line>`
    select coalesce(browser, 'An unknown browser') as title,
           concat_ws(' · ', address, to_char(last_used_at at time zone 'UTC', ${MINUTE})) as note
      from sessions where user_id = ${userId} order by last_used_at desc limit ${LISTED_MAX}`,
  keys: (userId) => sql<Line>`
    (select name as title, concat('API key · ', array_to_string(scopes, ', '), ' · last used ',
            coalesce(to_char(last_used_at at time zone 'UTC', ${MINUTE}), 'never')) as note
       from api_keys where user_id = ${userId} order by id desc limit ${LISTED_MAX})
    union all
    (select host, concat('webhook · ', array_to_string(events, ', '))
       from webhooks where user_id = ${userId} order by id desc limit ${LISTED_MAX})`,
  grants: (userId) => sql<Line>`
    select concat(trim_scale(amount), ' SOL') as title,
           concat(kind, ' · ', to_char(created_at at time zone 'UTC', ${MINUTE})) as note
      from grants where user_id = ${userId} order by id desc limit ${LISTED_MAX}`,
  sources: (userId) => sql<Line>`
    select concat(u.username, ' (', u.id, ')') as title,
           concat('last seen ', to_char(max(b.last_seen_at) at time zone 'UTC', ${MINUTE}), ', ', u.standing) as note
      from account_browsers mine join account_browsers b on b.browser_hash = mine.browser_hash and b.user_id <> mine.user_id
      join users u on u.id = b.user_id
     where mine.user_id = ${userId} group by u.id order by max(b.last_seen_at) desc limit ${LISTED_MAX}`,
}
