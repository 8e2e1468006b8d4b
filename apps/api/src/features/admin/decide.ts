import type { Decided, DecideInput, UndoInput } from '@papermoon/contract/admin'
import { isFairToken } from '@papermoon/contract/fairs'
import type { AccountStatus, CaseKind, Database } from '@papermoon/db'
import type { TokenId, UserId } from '@papermoon/engine'
import { type Kysely, sql, type Transaction } from 'kysely'
import { recordOperatorEvent } from '../../accounts/operator-events.ts'
import type { App } from '../../context.ts'
import { BadInputError, defineError } from '../../errors.ts'
import { mute, setAccountStatus, setHidden, setPicture, setWarning, unmute } from '../../moderation/acts.ts'
import { type Actor, appendAct } from '../../moderation/log.ts'
import { tellOutcome } from '../../moderation/tell-outcome.ts'
import { changeState, publishPost } from '../../talk/change-state.ts'
import { getPostDb } from '../../talk/open-topic.ts'
import type { PostRow } from '../../talk/read-posts.ts'

class CaseNotFoundError extends defineError('NOT_FOUND', 'There is no such case.') {}
class CaseDecidedError extends defineError('CASE_DECIDED', 'Somebody has decided this already.') {}
export class OwnCaseError extends defineError('NOT_YOURS', 'This is about you: somebody else decides it.') {}
class ActNotFoundError extends defineError('NOT_FOUND', 'There is nothing to undo.') {}

class FrozenError extends defineError('NOT_YOURS', 'An operator froze this account: suspending would allow more.') {}

const MINUTE_MS = 60_000
const UNIQUE_VIOLATION = '23505'

/** The connection of the market that a thing is in: posts and tokens say so by their ids. */
export function getMarketDb(app: App, kind: string, id: number): Kysely<Database> {
  if (kind === 'post') return getPostDb(app, id)
  return (kind === 'token' && isFairToken(id) ? (app.market.fairs ?? app) : app).platform.db
}

interface Thing {
  readonly kind: CaseKind
  readonly targetId: number
  readonly accusedId: UserId | null
}

interface Wish extends Thing {
  readonly act: DecideInput['act']
  readonly minutes?: DecideInput['minutes']
  readonly reason: string
  readonly now: Date
}

/** What an undo needs to know. */
type Before = Readonly<Record<string, string | number | null>>

/**
 * Decides a case: does what was decided, closes it and logs it, all or nothing. Throws `CaseNotFoundError`, `CaseDecidedError`,
 * `OwnCaseError`, and `BadInputError` where the act does not fit the thing.
 */
export async function decide(app: App, userId: UserId, input: DecideInput): Promise<Decided> {
  const { caseId, act, minutes, reason } = input
  const now = app.platform.clock.now()
  const found = await app.platform.db
    .selectFrom('cases')
    .select(['kind', 'target_id'])
    .where('id', '=', caseId)
    .executeTakeFirst()
  if (found === undefined) throw new CaseNotFoundError()
  const thing = { kind: found.kind, targetId: found.target_id }
  const role = await findRole(app, userId)
  const logId = await getMarketDb(app, thing.kind, thing.targetId)
    .transaction()
    .execute(async (tx) => {
      const row = await tx
        .selectFrom('cases')
        .selectAll()
        .where('id', '=', caseId)
        .forUpdate()
        .executeTakeFirstOrThrow()
      if (row.decided_at !== null) throw new CaseDecidedError()
      if (row.accused_user_id === userId) throw new OwnCaseError()
      const accusedId = row.accused_user_id as UserId | null
      const detail = await carryOut(tx, { ...thing, accusedId, act, minutes, reason, now })
      await tx.updateTable('cases').set({ decided_at: now, outcome: act }).where('id', '=', caseId).execute()
      await tellOutcome(tx, { act, about: thing.kind, concernedId: accusedId, caseId })
      return await appendAct(tx, {
        ...{ actor: { userId, as: role }, act, ...thing, concernedId: accusedId, caseId },
        ...{ detail, words: row.words, reason, now },
      })
    })
  await showChange(app, { ...thing, act })
  return { logId }
}

export async function carryOut(tx: Transaction<Database>, wish: Wish): Promise<Before> {
  const { kind, targetId, accusedId, act, reason, now } = wish
  if (act === 'dismiss') return {}
  if (act === 'hide' || act === 'delete' || act === 'release') return await changeThing(tx, wish)
  if (accusedId === null) throw new BadInputError(`act must not be ${act}: nobody is concerned.`)
  // Who is warned, muted or suspended for a held post has not been let through.
  if (kind === 'post') await hideHeld(tx, targetId)
  if (act === 'mute') {
    await mute(tx, { userId: accusedId, fairId: 0, until: new Date(now.getTime() + (wish.minutes ?? 60) * MINUTE_MS) })
    return {}
  }
  if (act === 'warn') {
    const before = await setWarning(tx, accusedId, reason)
    await recordOperatorEvent(tx, { userId: accusedId, kind: 'warned', detail: { text: reason } }, now)
    return { warning: before }
  }
  const before = await setAccountStatus(tx, accusedId, { status: 'suspended', reason })
  if (before === 'frozen') throw new FrozenError()
  await recordOperatorEvent(tx, { userId: accusedId, kind: 'suspended', detail: { frozen: false, reason } }, now)
  return { status: before }
}

async function changeThing(tx: Transaction<Database>, { kind, targetId, act }: Wish): Promise<Before> {
  if (kind === 'post') {
    const state = act === 'hide' ? 'hidden' : act === 'delete' ? 'deleted' : 'shown'
    return { state: await changeState(tx, await findStored(tx, targetId), state) }
  }
  if (act === 'hide' && kind === 'token') {
    await setHidden(tx, targetId as TokenId, true)
    return {}
  }
  if (act === 'hide' && kind === 'picture') return { url: await setPicture(tx, targetId as UserId, null) }
  throw new BadInputError(`act must not be ${act}: it does not fit a ${kind}.`)
}

async function hideHeld(tx: Transaction<Database>, id: number): Promise<void> {
  const row = await findStored(tx, id)
  if (row.state === 'held') await changeState(tx, row, 'hidden')
}

async function findStored(tx: Transaction<Database>, id: number): Promise<Pick<PostRow, 'id' | 'parent_id' | 'state'>> {
  const row = await tx.selectFrom('posts').select(['id', 'parent_id', 'state']).where('id', '=', id).executeTakeFirst()
  if (row === undefined) throw new CaseNotFoundError()
  return row
}

/** Lets this node show a change at once; others see it within seconds. */
async function showChange(
  app: App,
  { kind, targetId, act }: Pick<Wish, 'kind' | 'targetId'> & { readonly act: string },
) {
  if (kind === 'post') await publishPost(isFairToken(targetId) ? (app.market.fairs ?? app) : app, targetId)
  if (act === 'suspend' || act === 'undo') app.accounts.sessions.cache.clear()
  if (kind === 'picture') app.market.queryCache.invalidateAll()
}

export async function findRole({ platform: { db } }: App, userId: UserId): Promise<'moderator' | 'operator'> {
  const { role } = await db.selectFrom('users').select('role').where('id', '=', userId).executeTakeFirstOrThrow()
  return role === 'operator' ? 'operator' : 'moderator'
}

interface LoggedAct {
  readonly id: number
  readonly act: string
  readonly kind: CaseKind
  readonly target_id: number
  readonly concerned_id: UserId | null
  readonly case_id: number | null
  readonly detail: string
  readonly words: string | null
}

/** Takes an act back, once, and its case waits again; the log keeps both. Throws `ActNotFoundError` and `OwnCaseError`. */
export async function undo(app: App, userId: UserId, input: UndoInput): Promise<Decided> {
  const actor: Actor = { userId, as: await findRole(app, userId) }
  return { logId: await undoAct(app, { actor, ...input }, (tx) => reopenCase(tx, input.id)) }
}

/** Unless a later case about the same thing is open. */
async function reopenCase(tx: Transaction<Database>, logId: number): Promise<void> {
  await sql`
    update cases c set decided_at = null, outcome = null from moderation_log l
     where l.id = ${logId} and c.id = l.case_id and not exists (
       select from cases o where o.kind = c.kind and o.target_id = c.target_id and o.decided_at is null)`.execute(tx)
}

type UndoParts = [
  app: App,
  undone: UndoInput & { readonly actor: Actor },
  settle: (tx: Transaction<Database>) => Promise<void>,
]

/**
 * `settle` is done in the same transaction. Done again if it met another at the same moment: a second undo of the act, which then
 * finds it undone, or a new case about the same thing, which then stays.
 */
export async function undoAct(...parts: UndoParts): Promise<number> {
  return await undoOnce(...parts).catch((error: unknown) => {
    if (Object(error).code !== UNIQUE_VIOLATION) throw error
    return undoOnce(...parts)
  })
}

async function undoOnce(...[app, { actor, id, reason }, settle]: UndoParts): Promise<number> {
  const now = app.platform.clock.now()
  const { rows } = await sql<LoggedAct>`
    select l.id, l.act, l.kind, l.target_id, l.concerned_id, l.case_id, l.detail, w.words
      from moderation_log l left join moderation_words w on w.log_id = l.id
     where l.id = ${id} and l.act in ('dismiss', 'hide', 'restore', 'delete', 'warn', 'mute', 'suspend') and l.undoes is null
       and not exists (select from moderation_log u where u.undoes = l.id)`.execute(app.platform.db)
  const [act] = rows
  if (act === undefined) throw new ActNotFoundError()
  if (act.concerned_id === actor.userId) throw new OwnCaseError()
  const logId = await getMarketDb(app, act.kind, act.target_id)
    .transaction()
    .execute(async (tx) => {
      await settle(tx)
      await takeBack(tx, act)
      const told = act.act === 'dismiss' ? null : act.concerned_id
      await tellOutcome(tx, { act: 'undo', about: act.kind, concernedId: told, caseId: null })
      return await appendAct(tx, {
        ...{ actor, act: 'undo', kind: act.kind, targetId: act.target_id, concernedId: act.concerned_id },
        ...{ caseId: act.case_id, undoes: act.id, words: act.words ?? '', reason, now },
      })
    })
  await showChange(app, { kind: act.kind, targetId: act.target_id, act: 'undo' })
  return logId
}

async function takeBack(tx: Transaction<Database>, { act, kind, target_id, concerned_id, detail, words }: LoggedAct) {
  const before = JSON.parse(detail) as {
    status?: AccountStatus
    state?: PostRow['state']
    warning?: string | null
    url?: string
    fairId?: number
  }
  if (act === 'dismiss') return
  if (act === 'mute' && concerned_id !== null) await unmute(tx, { userId: concerned_id, fairId: before.fairId ?? 0 })
  else if (act === 'warn' && concerned_id !== null) await setWarning(tx, concerned_id, before.warning ?? null)
  else if (act === 'suspend' && concerned_id !== null) {
    await setAccountStatus(tx, concerned_id, { status: before.status ?? 'active', reason: null })
    await recordOperatorEvent(tx, { userId: concerned_id, kind: 'unsuspended' })
  } else if (kind === 'post') {
    const row = await findStored(tx, target_id)
    // Its writer may have deleted it meanwhile: then it stays so.
    if (act === 'restore' || (act === 'hide' && row.state !== 'hidden')) return
    // What was held waits again.
    const state = before.state === 'held' ? 'held' : 'shown'
    await changeState(tx, row, state, act === 'delete' ? (words ?? '') : undefined)
  } else if (kind === 'token') await setHidden(tx, target_id as TokenId, false)
  else if (kind === 'picture') await setPicture(tx, target_id as UserId, before.url ?? null)
}
