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
import type { Db, Tx } from '@papermoon/db'
import type { UserId } from '@papermoon/engine'
import { type RawBuilder, sql } from 'kysely'
import type { App } from '../../context.ts'
import { BadInputError, defineError } from '../../errors.ts'
import { FactorMissingError, findHasFactor, lockUser, usernameKey } from '../account/public.ts'
import { toBareText } from '../talk/public.ts'
import { lockPlayer } from './acts.ts'
import { assertMayJudge, findRole, isAboutAccount, OwnCaseError, toActingRole, undoAct } from './decide.ts'
import { aboutPlayer, appendAct, findBreak, recordAct } from './log.ts'

export class PlayerNotFoundError extends defineError('NOT_FOUND', 'There is no such player.') {}
class AppealNotFoundError extends defineError('NOT_FOUND', 'There is no such appeal.') {}
class OwnActError extends defineError('NOT_YOURS', 'You made this decision, so someone else must answer the appeal.') {}

const PAGE = 50
/** Min number of letters in a word that puts posts on hold. Shorter words would put half of all posts on hold. */
const WORD_LETTERS_MIN = 3

/** Reads a page of the log, newest first. Also checks whether each row's hash matches the previous row. */
export async function readLog(
  { platform: { db } }: App,
  { before }: { readonly before?: number | undefined },
): Promise<LogPage> {
  const entries = await selectEntries(db, before === undefined ? sql`true` : sql`l.id < ${before}`)
  const [first = { id: 0 }] = entries
  const { id } = entries.at(-1) ?? { id: 1 }
  const through = before === undefined ? {} : { through: first.id }
  return { entries, brokenAt: await findBreak(db, { after: id - 1, ...through }) }
}

/**
 * Reads the last acts on a player, including notes. Only operators can see which moderator acted and who viewed private
 * data. Throws `OwnCaseError`.
 */
export async function readPlayerLog({ platform: { db } }: App, actorId: UserId, userId: UserId): Promise<LogEntry[]> {
  if (actorId === userId) throw new OwnCaseError()
  const entries = await selectEntries(db, sql`l.concerned_id = ${userId}`)
  const { role } = await db.selectFrom('users').select('role').where('id', '=', actorId).executeTakeFirstOrThrow()
  if (role === 'operator') return entries
  return entries.filter(({ act }) => !act.startsWith('look-')).map((entry) => ({ ...entry, actor: null }))
}

async function selectEntries(db: Db, where: RawBuilder<unknown>): Promise<LogEntry[]> {
  const { rows } = await sql<Omit<LogEntry, 'at'> & { readonly at: Date }>`
    select l.id, l.at, l.as_role as "asRole", l.act, l.kind, l.target_id as "targetId", l.case_id as "caseId", l.undoes,
           case when a.id is not null then json_build_object('id', a.id, 'username', a.username) end as actor,
           case when c.id is not null then json_build_object('id', c.id, 'username', c.username) end as concerned,
           exists (select from moderation_log u where u.undoes = l.id) as "isUndone",
           l.detail, w.words, w.reason, encode(l.hash, 'hex') as hash
      from moderation_log l left join users a on a.id = l.actor_id left join users c on c.id = l.concerned_id
      left join moderation_words w on w.log_id = l.id
     where ${where} order by l.id desc limit ${PAGE}`.execute(db)
  return rows.map((row) => ({ ...row, at: row.at.toISOString() }))
}

/** Lists open appeals, oldest first. */
export async function listAppeals({ platform: { db } }: App, userId: UserId): Promise<OpenAppeal[]> {
  const { rows } = await sql<Omit<OpenAppeal, 'at'> & { readonly at: Date }>`
    select a.log_id as id, a.created_at as at, json_build_object('id', u.id, 'username', u.username) as player, a.words,
           l.act, w.reason, w.words as about, l.actor_id is not distinct from ${userId} as "isOwn"
      from appeals a join users u on u.id = a.user_id join moderation_log l on l.id = a.log_id
      left join moderation_words w on w.log_id = l.id
     where a.decided_at is null and not exists (select from moderation_log n where n.undoes = l.id)
     order by a.created_at limit ${PAGE}`.execute(db)
  return rows.map((row) => ({ ...row, at: row.at.toISOString() }))
}

/**
 * Grants an appeal and undoes the act, or rejects the appeal. Throws `AppealNotFoundError`, `OwnActError` and
 * `OnlyOperatorsError`.
 */
export async function answerAppeal(app: App, userId: UserId, input: AnswerAppealInput): Promise<Decided> {
  const { id, isGranted, reason } = input
  const { db, clock } = app.platform
  const act = await db
    .selectFrom('moderation_log')
    .select(['act', 'actor_id', 'kind', 'target_id', 'concerned_id', 'case_id'])
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
    await lockPlayer(tx, act.concerned_id)
    if (isAboutAccount(act) && act.concerned_id !== null)
      await assertMayJudge(tx, actor.as, { userId: act.concerned_id as UserId })
    await close(tx)
    return await recordAct(tx, {
      actor,
      act: 'refuse-appeal',
      kind: act.kind,
      targetId: act.target_id,
      concernedId: act.concerned_id,
      caseId: act.case_id,
      detail: { appeal: id },
      words: '',
      reason,
      now,
    })
  })
  return { logId }
}

/** Finds players by a part of the name, or by id. */
export async function findPlayers({ platform: { db } }: App, search: string): Promise<PlayerRecord[]> {
  const id = /^\d{1,9}$/.test(search) ? Number(search) : 0
  const { rows } = await sql<
    Omit<PlayerRecord, 'createdAt' | 'mutedUntil'> & { readonly createdAt: Date; readonly mutedUntil: Date | null }
  >`
    select u.id, u.username, u.role, u.standing, u.created_at as "createdAt", m.until as "mutedUntil",
           (select count(*)::int from moderation_log l where l.concerned_id = u.id
               and l.act in ('hide', 'delete', 'warn', 'mute', 'suspend')) as acts
      from users u left join mutes m on m.user_id = u.id and m.fair_id = 0 and m.until > now()
     where (u.id = ${id} or strpos(u.username_key, ${usernameKey(search)}) > 0) and u.deleted_at is null
     order by u.id = ${id} desc, length(u.username), u.id limit ${PAGE}`.execute(db)
  return rows.map((row) => ({
    ...row,
    createdAt: row.createdAt.toISOString(),
    mutedUntil: row.mutedUntil?.toISOString() ?? null,
  }))
}

export async function listWords({ platform: { db } }: App): Promise<string[]> {
  const rows = await db.selectFrom('held_words').select('word').orderBy('word').execute()
  return rows.map(({ word }) => word)
}

/** Adds a word to the list of words that put posts on hold, or removes it. Throws `BadInputError` for a short word. */
export async function setWord({ platform: { db, clock } }: App, userId: UserId, input: WordsInput): Promise<Decided> {
  const { word, isHeld } = input
  if ([...toBareText(word)].length < WORD_LETTERS_MIN) throw new BadInputError('word must have at least three letters.')
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
      actor: { userId, as: 'operator' },
      act: isHeld ? 'hold-word' : 'free-word',
      kind: 'word',
      targetId: 0,
      concernedId: null,
      words: word,
      reason: '',
      now,
    })
  })
  return { logId }
}

/**
 * Makes a player with a second factor a moderator, or a moderator a player again. Only a command can make an operator.
 * Throws `PlayerNotFoundError` and `FactorMissingError`.
 */
export async function setRole({ platform: { db, clock } }: App, actorId: UserId, input: RoleInput): Promise<Decided> {
  const { userId, role, reason } = input
  const logId = await db.transaction().execute(async (tx) => {
    await lockUser(tx, userId)
    const changed = await tx
      .updateTable('users')
      .set({ role })
      .where('id', '=', userId)
      .where('role', '<>', 'operator')
      .where('deleted_at', 'is', null)
      .returning('id')
      .executeTakeFirst()
    if (changed === undefined) throw new PlayerNotFoundError()
    if (role !== 'player' && !(await findHasFactor(tx, userId))) throw new FactorMissingError()
    return await appendAct(tx, {
      ...aboutPlayer(userId),
      actor: { userId: actorId, as: 'operator' },
      act: `role-${role}`,
      reason,
      now: clock.now(),
    })
  })
  return { logId }
}
