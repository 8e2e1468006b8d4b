import type { Decided, DecideInput, UndoInput } from '@papermoon/contract/admin'
import { isFairToken } from '@papermoon/contract/fair-tokens'
import type { CaseKind, Db, Role, Tx } from '@papermoon/db'
import type { TokenId, UserId } from '@papermoon/engine'
import { sql } from 'kysely'
import type { App } from '../../context.ts'
import { ApiError, BadInputError, defineError } from '../../errors.ts'
import { changeState, getPostDb, type PostRow, publishPost } from '../talk/public.ts'
import { lockPlayer, lockStanding, mute, setAccountStatus, setHidden, setPicture, setWarning, unmute } from './acts.ts'
import { type CausedState, findOtherMute, findOtherWarning, hasActInForce, isMadeByAct } from './has-act-in-force.ts'
import { type Actor, appendAct, recordAct } from './log.ts'

class CaseNotFoundError extends defineError('NOT_FOUND', 'There is no such case.') {}
class CaseDecidedError extends defineError('CASE_DECIDED', 'Someone has already decided this case.') {}
export class OwnCaseError extends defineError('NOT_YOURS', 'This is about you, so someone else must decide it.') {}
class ActNotFoundError extends defineError('NOT_FOUND', 'There is nothing to undo.') {}

export class OnlyOperatorsError extends ApiError {
  readonly code = 'NOT_YOURS'
  constructor(sentence = 'Only operators can decide about moderators and operators.') {
    super(sentence)
  }
}
export const BY_OPERATOR = 'An operator did this, so only operators can undo it.'
class FrozenError extends defineError(
  'NOT_YOURS',
  'An operator froze this account. Only an operator’s command can change that.',
) {}

const MINUTE_MS = 60_000
const UNIQUE_VIOLATION = '23505'

/** Returns the connection for the market of a post or token. The thing's id determines the market. */
export function getMarketDb(app: App, kind: string, id: number): Db {
  if (kind === 'post') return getPostDb(app, id)
  return (kind === 'token' && isFairToken(id) ? (app.market.fairs ?? app) : app).platform.db
}

interface Thing {
  readonly kind: CaseKind
  readonly targetId: number
  readonly accusedId: UserId | null
}

interface Wish extends Thing {
  readonly as: Actor['as']
  readonly act: DecideInput['act']
  readonly minutes?: DecideInput['minutes']
  readonly reason: string
  readonly now: Date
}

/** The state before an act, which an undo restores. */
type Before = Readonly<Record<string, string | number | null>>

/**
 * Decides a case: carries out the decision, closes the case and logs the act in one transaction. Throws `BadInputError`
 * if the act does not fit the reported thing. Also throws `CaseNotFoundError`, `CaseDecidedError`, `OwnCaseError`,
 * `OnlyOperatorsError` and `FrozenError`.
 */
export async function decide(app: App, userId: UserId, input: DecideInput): Promise<Decided> {
  const { caseId, act, minutes, reason } = input
  const now = app.platform.clock.now()
  const found = await app.platform.db
    .selectFrom('cases')
    .select(['kind', 'target_id', 'accused_user_id'])
    .where('id', '=', caseId)
    .executeTakeFirst()
  if (found === undefined) throw new CaseNotFoundError()
  const thing = { kind: found.kind, targetId: found.target_id }
  const role = toActingRole(await findRole(app.platform.db, userId))
  const logId = await getMarketDb(app, thing.kind, thing.targetId)
    .transaction()
    .execute(async (tx) => {
      const isThere = await lockPlayer(tx, found.accused_user_id)
      const row = await tx
        .selectFrom('cases')
        .selectAll()
        .where('id', '=', caseId)
        .forUpdate()
        .executeTakeFirstOrThrow()
      if (row.decided_at !== null) throw new CaseDecidedError()
      if (row.accused_user_id === userId) throw new OwnCaseError()
      const accusedId = row.accused_user_id as UserId | null
      const wish = { ...thing, as: role, accusedId: isThere ? accusedId : null, act, minutes, reason, now }
      // Read the current text, because its author may have edited it since the report. An undo restores the current
      // text.
      const deleted = act === 'delete' && thing.kind === 'post' ? await lockText(tx, thing.targetId) : ''
      const detail = await carryOut(tx, wish)
      await tx.updateTable('cases').set({ decided_at: now, outcome: act }).where('id', '=', caseId).execute()
      return await recordAct(tx, {
        actor: { userId, as: role },
        act,
        ...thing,
        concernedId: accusedId,
        caseId,
        detail,
        words: deleted || row.words,
        reason,
        now,
      })
    })
  await showChange(app, { ...thing, act })
  return { logId }
}

async function lockText(tx: Tx, postId: number): Promise<string> {
  const post = tx.selectFrom('posts').select('text').where('id', '=', postId)
  return (await post.forNoKeyUpdate().executeTakeFirst())?.text ?? ''
}

export async function carryOut(tx: Tx, wish: Wish): Promise<Before> {
  const { kind, targetId, accusedId, act, reason, now } = wish
  if (act === 'dismiss') return {}
  if (accusedId !== null && isAboutAccount(wish)) await assertMayJudge(tx, wish.as, { userId: accusedId, isNew: true })
  if (act === 'hide' || act === 'delete' || act === 'release') return await changeThing(tx, wish)
  if (accusedId === null) throw new BadInputError(`act must not be ${act}, because no player is concerned.`)
  const state = kind === 'post' ? await hideWords(tx, targetId, act) : null
  if (act === 'mute') {
    const until = new Date(now.getTime() + (wish.minutes ?? 60) * MINUTE_MS)
    await mute(tx, { userId: accusedId, fairId: 0, until })
    return { state, until: until.toISOString() }
  }
  if (act === 'warn') {
    await setWarning(tx, accusedId, { warning: reason, now })
    return { state }
  }
  const before = await setAccountStatus(tx, accusedId, { status: 'suspended', reason, now })
  if (before === 'frozen') throw new FrozenError()
  return { state, status: before }
}

/** Acts on an account. Such acts can also close a case about a post or token. */
const ACCOUNT_ACTS = ['mute', 'warn', 'suspend']

/** Returns whether an act changes an account or its picture. */
export function isAboutAccount({ act, kind }: { readonly act: string; readonly kind: string }): boolean {
  return kind === 'picture' || ACCOUNT_ACTS.includes(act)
}

/**
 * Throws `OnlyOperatorsError` if a moderator decides about an account with a role, or if anyone starts a new act on an
 * operator's account. For operators' accounts, operators can only undo acts and decide appeals. Locks the account, so
 * that its role cannot change.
 */
export async function assertMayJudge(
  tx: Tx,
  as: Actor['as'],
  { userId, isNew = false }: { readonly userId: UserId; readonly isNew?: boolean },
): Promise<void> {
  const role = await findRole(tx, userId)
  if (as !== 'operator' && role !== 'player') throw new OnlyOperatorsError()
  if (isNew && role === 'operator') throw new OnlyOperatorsError('Only a command can change an operator’s account.')
}

async function changeThing(tx: Tx, { kind, targetId, act }: Wish): Promise<Before> {
  if (kind === 'post') {
    const state = act === 'hide' ? 'hidden' : act === 'delete' ? 'deleted' : 'shown'
    return { state: await changeState(tx, await findStored(tx, targetId), state) }
  }
  if (act === 'hide' && kind === 'token') {
    return { wasHidden: Number(await setHidden(tx, targetId as TokenId, true)) }
  }
  if (act === 'hide' && kind === 'picture') return { url: await setPicture(tx, targetId as UserId, null) }
  throw new BadInputError(`act must not be ${act}: it does not fit a ${kind}.`)
}

/**
 * Hides the text because of which a player is muted or suspended. After a warning, the text stays visible, unless it
 * was on hold. Returns the previous state, or null if the state does not change.
 */
async function hideWords(tx: Tx, id: number, act: Wish['act']): Promise<PostRow['state'] | null> {
  const row = await findStored(tx, id)
  if (row.state !== 'held' && (row.state !== 'shown' || act === 'warn')) return null
  return await changeState(tx, row, 'hidden')
}

async function findStored(tx: Tx, id: number) {
  const row = await tx
    .selectFrom('posts as p')
    .innerJoin('users as u', 'u.id', 'p.user_id')
    .select(['p.id', 'p.parent_id', 'p.state', 'p.position', 'u.deleted_at'])
    .where('p.id', '=', id)
    .executeTakeFirst()
  if (row === undefined) throw new CaseNotFoundError()
  return row
}

/** Makes a change visible on this node at once. The other nodes show the change within seconds. */
async function showChange(
  app: App,
  { kind, targetId, act }: Pick<Wish, 'kind' | 'targetId'> & { readonly act: string },
) {
  if (kind === 'post') await publishPost(isFairToken(targetId) ? (app.market.fairs ?? app) : app, targetId)
  if (act === 'suspend' || act === 'undo') app.accounts.sessions.cache.clear()
  if (kind === 'picture') app.market.queryCache.invalidateAll()
}

export async function findRole(db: Db, userId: UserId): Promise<Role> {
  const { role } = await db.selectFrom('users').select('role').where('id', '=', userId).executeTakeFirstOrThrow()
  return role
}

/** Returns the role in which a caller of the moderation page acts. */
export function toActingRole(role: Role): 'moderator' | 'operator' {
  return role === 'operator' ? 'operator' : 'moderator'
}

interface LoggedAct {
  readonly id: number
  readonly as_role: Actor['as']
  readonly act: string
  readonly kind: CaseKind
  readonly target_id: number
  readonly concerned_id: UserId | null
  readonly case_id: number | null
  readonly detail: string
  readonly words: string | null
}

/**
 * Undoes an act and opens its case again. The log contains both the act and the undo. If another act requires the
 * current state, the state does not change. Throws `ActNotFoundError`, `OwnCaseError`, `OnlyOperatorsError` and
 * `FrozenError`.
 */
export async function undo(app: App, userId: UserId, input: UndoInput): Promise<Decided> {
  const actor: Actor = { userId, as: toActingRole(await findRole(app.platform.db, userId)) }
  return { logId: await undoAct(app, { actor, ...input }, (tx) => reopenCase(tx, input.id)) }
}

/** Reopens the case, unless a later case about the same thing is open. */
async function reopenCase(tx: Tx, logId: number): Promise<void> {
  await sql`
    update cases c set decided_at = null, outcome = null from moderation_log l
     where l.id = ${logId} and c.id = l.case_id and not exists (
       select from cases o where o.kind = c.kind and o.target_id = c.target_id and o.decided_at is null)`.execute(tx)
}

type UndoParts = [app: App, undone: UndoInput & { readonly actor: Actor }, settle: (tx: Tx) => Promise<void>]

/**
 * Undoes an act, and calls `settle` in the same transaction. After a conflict with another transaction, the function
 * tries again. The other transaction can be a second undo of the act, or a new case about the same thing.
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
    select l.id, l.as_role, l.act, l.kind, l.target_id, l.concerned_id, l.case_id, l.detail, w.words
      from moderation_log l left join moderation_words w on w.log_id = l.id
     where l.id = ${id} and l.act in ('dismiss', 'hide', 'restore', 'delete', 'warn', 'mute', 'suspend') and l.undoes is null
       and not exists (select from moderation_log u where u.undoes = l.id)`.execute(app.platform.db)
  const [act] = rows
  if (act === undefined) throw new ActNotFoundError()
  if (act.concerned_id === actor.userId) throw new OwnCaseError()
  const logId = await getMarketDb(app, act.kind, act.target_id)
    .transaction()
    .execute(async (tx) => {
      await takeBack(tx, act, { as: actor.as, now })
      await settle(tx)
      // Create no notices when a dismissal is undone, because only the reporters were notified of the dismissal.
      const record = act.act === 'dismiss' ? appendAct : recordAct
      return await record(tx, {
        actor,
        act: 'undo',
        kind: act.kind,
        targetId: act.target_id,
        concernedId: act.concerned_id,
        caseId: act.case_id,
        undoes: act.id,
        words: act.words ?? '',
        reason,
        now,
      })
    })
  await showChange(app, { kind: act.kind, targetId: act.target_id, act: 'undo' })
  return logId
}

async function takeBack(tx: Tx, logged: LoggedAct, { as, now }: Pick<Wish, 'as' | 'now'>): Promise<void> {
  const { act, kind, target_id, concerned_id } = logged
  const isThere = await lockPlayer(tx, concerned_id)
  const before = JSON.parse(logged.detail) as Remembered
  if (act === 'dismiss' || act === 'restore') return
  if (concerned_id !== null && isAboutAccount(logged)) {
    await assertMayJudge(tx, as, { userId: concerned_id })
    if (as === 'moderator' && ['operator', 'command'].includes(logged.as_role))
      throw new OnlyOperatorsError(BY_OPERATOR)
  }
  const isAboutPlayer = ACCOUNT_ACTS.includes(act)
  if (isAboutPlayer && isThere && concerned_id !== null)
    await takeBackFromPlayer(tx, { ...logged, concerned_id }, { before, now })
  if (kind === 'post') await bringBackPost(tx, logged, before)
  else if (isAboutPlayer || (await isCausedByOther(tx, logged, 'hidden'))) return
  else if (kind === 'picture' && before.url != null) await bringBackPicture(tx, target_id, before.url)
  else if (kind === 'token' && (await isMadeByAct(tx, logged, 'hidden')))
    await setHidden(tx, target_id as TokenId, false)
}

/** The data of an act that the column `detail` contains. */
interface Remembered {
  readonly state?: PostRow['state'] | null
  readonly url?: string | null
  readonly fairId?: number
}

type ActOnPlayer = LoggedAct & { readonly concerned_id: UserId }

async function takeBackFromPlayer(
  tx: Tx,
  logged: ActOnPlayer,
  { before, now }: { readonly before: Remembered; readonly now: Date },
): Promise<void> {
  const { id, act, concerned_id: userId } = logged
  if (act === 'mute') {
    const fairId = before.fairId ?? 0
    await unmute(tx, { userId, fairId })
    const until = await findOtherMute(tx, logged, { fairId, now })
    if (until !== null) await mute(tx, { userId, fairId, until })
  } else if (act === 'warn') {
    // If the player has a newer warning, keep it. If there is no newer warning, show the newest other warning in force.
    const warning = await findOtherWarning(tx, logged)
    await sql`
      update users set warning = ${warning}
       where id = ${userId} and warning = (select reason from moderation_words where log_id = ${id})`.execute(tx)
  } else {
    const standing = await lockStanding(tx, userId)
    if (standing === 'frozen') throw new FrozenError()
    if (standing !== 'suspended' || (await isCausedByOther(tx, logged, 'suspended'))) return
    if (await isMadeByAct(tx, logged, 'suspended'))
      await setAccountStatus(tx, userId, { status: 'active', reason: null, now })
  }
}

/** Returns whether another act also requires the current state. */
async function isCausedByOther(tx: Tx, logged: LoggedAct, so: CausedState): Promise<boolean> {
  const { id, kind, detail } = logged
  const same = kind === 'picture' ? sql`o.detail::json->>'url' = ${detail}::json->>'url'` : sql`true`
  return await hasActInForce(tx, logged, so, sql`o.id <> ${id} and ${same}`)
}

/** Restores a post, unless its author deleted it or another act keeps it hidden. */
async function bringBackPost(tx: Tx, logged: LoggedAct, before: Remembered): Promise<void> {
  const row = await findStored(tx, logged.target_id)
  const isHidden = await isCausedByOther(tx, logged, 'hidden')
  // If the post was never shown, put it on hold again.
  const state = isHidden ? 'hidden' : row.position === null ? 'held' : 'shown'
  if (logged.act !== 'delete') {
    if (row.state === 'hidden') await changeState(tx, row, state)
  } else if (before.state !== 'deleted' && row.deleted_at === null)
    await changeState(tx, row, state, logged.words ?? '')
}

/** Restores a picture, unless its player chose another one since then or was deleted. */
async function bringBackPicture(tx: Tx, userId: number, url: string): Promise<void> {
  await sql`
    update users set profile_picture_url = ${url}
     where id = ${userId} and profile_picture_url is null and deleted_at is null`.execute(tx)
}
