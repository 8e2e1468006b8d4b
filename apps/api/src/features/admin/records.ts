import type {
  AnswerAppealInput,
  Decided,
  LogEntry,
  LogPage,
  OpenAppeal,
  PlayerRecord,
  RoleInput,
  WordsInput,
} from '@papermoon/contract/admin'
import type { AccountStatus, Db, Role, Tx } from '@papermoon/db'
import type { UserId } from '@papermoon/engine'
import { type RawBuilder, sql } from 'kysely'
import { usernameKey } from '../../accounts/username-key.ts'
import type { App } from '../../context.ts'
import { BadInputError, defineError } from '../../errors.ts'
import { appendAct, findBreak } from '../../moderation/log.ts'
import { tellOutcome } from '../../moderation/tell-outcome.ts'
import { toBareText } from '../../talk/check-post.ts'
import { findRole, OwnCaseError, toActingRole, undoAct } from './decide.ts'

export class PlayerNotFoundError extends defineError('NOT_FOUND', 'There is no such player.') {}
class AppealNotFoundError extends defineError('NOT_FOUND', 'There is no such appeal.') {}
class OwnActError extends defineError('NOT_YOURS', 'You decided this yourself: somebody else answers the appeal.') {}

const PAGE = 50
/** Fewer letters would hold half of all posts. */
const WORD_LETTERS_MIN = 3

interface LogRow {
  readonly id: number
  readonly at: Date
  readonly actor_id: number | null
  readonly actor: string | null
  readonly as_role: string
  readonly act: string
  readonly kind: string
  readonly target_id: number
  readonly concerned_id: number | null
  readonly concerned: string | null
  readonly case_id: number | null
  readonly undoes: number | null
  readonly is_undone: boolean
  readonly detail: string
  readonly words: string | null
  readonly reason: string | null
  readonly hash: Buffer
}

/** The log, newest first, and whether its chain is whole. */
export async function readLog(
  { platform: { db } }: App,
  { before }: { readonly before?: number | undefined },
): Promise<LogPage> {
  const entries = await selectEntries(db, before === undefined ? sql`true` : sql`l.id < ${before}`)
  return { entries, brokenAt: await findBreak(db) }
}

/** The last acts about a player, notes included. Throws `OwnCaseError`: who acts about a moderator is not told to them. */
export async function readPlayerLog({ platform: { db } }: App, actorId: UserId, userId: UserId): Promise<LogEntry[]> {
  if (actorId === userId) throw new OwnCaseError()
  return await selectEntries(db, sql`l.concerned_id = ${userId}`)
}

async function selectEntries(db: Db, where: RawBuilder<unknown>): Promise<LogEntry[]> {
  const { rows } = await sql<LogRow>`
    select l.*, a.username as actor, c.username as concerned, w.words, w.reason,
           exists (select from moderation_log u where u.undoes = l.id) as is_undone
      from moderation_log l left join users a on a.id = l.actor_id left join users c on c.id = l.concerned_id
      left join moderation_words w on w.log_id = l.id
     where ${where} order by l.id desc limit ${PAGE}`.execute(db)
  return rows.map(toEntry)
}

function toEntry(row: LogRow): LogEntry {
  return {
    id: row.id,
    at: row.at.toISOString(),
    actor: row.actor_id === null ? null : { id: row.actor_id as UserId, username: row.actor ?? '' },
    asRole: row.as_role,
    act: row.act,
    kind: row.kind,
    targetId: row.target_id,
    concerned: row.concerned_id === null ? null : { id: row.concerned_id as UserId, username: row.concerned ?? '' },
    caseId: row.case_id,
    undoes: row.undoes,
    isUndone: row.is_undone,
    detail: row.detail,
    words: row.words,
    reason: row.reason,
    hash: row.hash.toString('hex'),
  }
}

/** Appeals that wait, oldest first. */
export async function listAppeals({ platform: { db } }: App, userId: UserId): Promise<OpenAppeal[]> {
  const { rows } = await sql<{
    id: number
    created_at: Date
    user_id: UserId
    username: string
    words: string
    act: string
    reason: string | null
    about: string | null
    is_own: boolean
  }>`
    select a.log_id as id, a.created_at, a.user_id, u.username, a.words, l.act, w.reason, w.words as about,
           l.actor_id is not distinct from ${userId} as is_own
      from appeals a join users u on u.id = a.user_id join moderation_log l on l.id = a.log_id
      left join moderation_words w on w.log_id = l.id
     where a.decided_at is null and not exists (select from moderation_log n where n.undoes = l.id)
     order by a.created_at limit ${PAGE}`.execute(db)
  return rows.map(({ id, created_at, user_id, username, words, act, reason, about, is_own }) => {
    const player = { id: user_id, username }
    return { id, at: created_at.toISOString(), player, words, act, reason, about, isOwn: is_own }
  })
}

/** Grants an appeal, which undoes the act, or refuses it. Throws `AppealNotFoundError` and `OwnActError`. */
export async function answerAppeal(app: App, userId: UserId, input: AnswerAppealInput): Promise<Decided> {
  const { id, isGranted, reason } = input
  const { db, clock } = app.platform
  const act = await db
    .selectFrom('moderation_log')
    .select(['actor_id', 'kind', 'target_id', 'concerned_id', 'case_id'])
    .where('id', '=', id)
    .executeTakeFirst()
  if (act === undefined) throw new AppealNotFoundError()
  if (act.actor_id === userId || act.concerned_id === userId) throw new OwnActError()
  const now = clock.now()
  const actor = { userId, as: toActingRole(await findRole(db, userId)) }
  const close = async (tx: Tx) => {
    const closed = await tx
      .updateTable('appeals')
      .set({ decided_at: now, is_granted: isGranted })
      .where('log_id', '=', id)
      .where('decided_at', 'is', null)
      .executeTakeFirst()
    if (closed.numUpdatedRows === 0n) throw new AppealNotFoundError()
  }
  if (isGranted) return { logId: await undoAct(app, { actor, id, reason }, close) }
  const logId = await db.transaction().execute(async (tx) => {
    await close(tx)
    await tellOutcome(tx, { act: 'refuse-appeal', about: act.kind, concernedId: act.concerned_id, caseId: null })
    return await appendAct(tx, {
      ...{ actor, act: 'refuse-appeal', kind: act.kind, targetId: act.target_id, concernedId: act.concerned_id },
      ...{ caseId: act.case_id, detail: { appeal: id }, words: '', reason, now },
    })
  })
  return { logId }
}

/** Players by a part of the name, or by id. */
export async function findPlayers({ platform: { db } }: App, search: string): Promise<PlayerRecord[]> {
  const id = /^\d{1,9}$/.test(search) ? Number(search) : 0
  const { rows } = await sql<{
    id: UserId
    username: string
    role: Role
    standing: AccountStatus
    created_at: Date
    until: Date | null
    acts: number
  }>`
    select u.id, u.username, u.role, u.standing, u.created_at, m.until,
           (select count(*)::int from moderation_log l where l.concerned_id = u.id
               and l.act in ('hide', 'delete', 'warn', 'mute', 'suspend')) as acts
      from users u left join mutes m on m.user_id = u.id and m.fair_id = 0 and m.until > now()
     where (u.id = ${id} or strpos(u.username_key, ${usernameKey(search)}) > 0) and u.deleted_at is null
     order by u.id = ${id} desc, length(u.username), u.id limit ${PAGE}`.execute(db)
  return rows.map(({ until, created_at, ...player }) => ({
    ...player,
    createdAt: created_at.toISOString(),
    mutedUntil: until?.toISOString() ?? null,
  }))
}

export async function listWords({ platform: { db } }: App): Promise<string[]> {
  const rows = await db.selectFrom('held_words').select('word').orderBy('word').execute()
  return rows.map(({ word }) => word)
}

/** Adds a word to the list that holds posts back, or takes it off. Throws `BadInputError` for one that is too short. */
export async function setWord({ platform: { db, clock } }: App, userId: UserId, input: WordsInput): Promise<Decided> {
  const { word, isHeld } = input
  if ([...toBareText(word)].length < WORD_LETTERS_MIN) throw new BadInputError('word must have three letters or more.')
  const now = clock.now()
  const logId = await db.transaction().execute(async (tx) => {
    if (isHeld) {
      const values = { word, created_at: now }
      await tx
        .insertInto('held_words')
        .values(values)
        .onConflict((conflict) => conflict.doNothing())
        .execute()
    } else await tx.deleteFrom('held_words').where('word', '=', word).execute()
    return await appendAct(tx, {
      ...{ actor: { userId, as: 'operator' }, act: isHeld ? 'hold-word' : 'free-word', kind: 'word', targetId: 0 },
      ...{ concernedId: null, words: word, reason: '', now },
    })
  })
  return { logId }
}

/** Makes a player a moderator, or no longer. Operators are made by a command only. Throws `PlayerNotFoundError`. */
export async function setRole({ platform: { db, clock } }: App, actorId: UserId, input: RoleInput): Promise<Decided> {
  const { userId, role, reason } = input
  const logId = await db.transaction().execute(async (tx) => {
    const changed = await tx
      .updateTable('users')
      .set({ role })
      .where('id', '=', userId)
      .where('role', '<>', 'operator')
      .where('deleted_at', 'is', null)
      .returning('id')
      .executeTakeFirst()
    if (changed === undefined) throw new PlayerNotFoundError()
    return await appendAct(tx, {
      ...{ actor: { userId: actorId, as: 'operator' }, act: `role-${role}`, kind: 'player', targetId: userId },
      ...{ concernedId: userId, words: '', reason, now: clock.now() },
    })
  })
  return { logId }
}
