import { isFairToken } from '@papermoon/contract/fair-tokens'
import type { PostId } from '@papermoon/contract/posts'
import {
  APPEAL_DAYS,
  type AppealInput,
  type OwnAct,
  type OwnReport,
  type ReportInput,
} from '@papermoon/contract/reports'
import type { CaseKind, Tx } from '@papermoon/db'
import { type TokenId, TokenNotFoundError, type UserId } from '@papermoon/engine'
import { sql } from 'kysely'
import type { App } from '../../context.ts'
import { defineError } from '../../errors.ts'
import { openPost, openTopic } from '../talk/public.ts'

interface NewCase {
  readonly kind: CaseKind
  readonly targetId: number
  readonly accusedId: number | null
  readonly fairId: number | null
  /** The text at the time of the report, because its author may change or delete it. */
  readonly words: string
  readonly heldFor?: string | null
  readonly now: Date
}

class PlayerNotFoundError extends defineError('NOT_FOUND', 'There is no such player.') {}

class ActNotFoundError extends defineError('NOT_FOUND', 'There is no such decision about you.') {}

class AppealTooLateError extends defineError(
  'APPEAL_TOO_LATE',
  `You can appeal a decision once, within ${APPEAL_DAYS} days.`,
) {}

/**
 * Acts that a player can appeal. Other acts, such as notes, data access and dismissals, concern only moderators, so
 * players cannot appeal them.
 */
const APPEALED = ['hide', 'restore', 'delete', 'warn', 'mute', 'suspend']

const LISTED_MAX = 100

const APPEAL_MS = APPEAL_DAYS * 24 * 3_600_000

/** The current state of a reported thing. */
interface Subject {
  readonly accusedId: number
  readonly fairId: number | null
  readonly words: string
}

/**
 * Reports something that the caller can see. All reports of a thing belong to one case, and a second report by the same
 * player changes nothing. Throws `PostNotFoundError`, `TokenNotFoundError` and `PlayerNotFoundError`.
 */
export async function report(app: App, userId: UserId, input: ReportInput): Promise<{ ok: true }> {
  const { kind, id, reason, note = null } = input
  const { db, clock } = app.platform
  const subject = await findSubject(app, userId, input)
  const now = clock.now()
  await db.transaction().execute(async (tx) => {
    const caseId = await openCase(tx, { kind, targetId: id, ...subject, now })
    const { numInsertedOrUpdatedRows = 0n } = await tx
      .insertInto('reports')
      .values({ case_id: caseId, user_id: userId, reason, note, created_at: now })
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirst()
    if (numInsertedOrUpdatedRows > 0n)
      await sql`update cases set reports = reports + 1 where id = ${caseId}`.execute(tx)
  })
  return { ok: true }
}

async function findSubject(app: App, userId: UserId, { kind, id }: ReportInput): Promise<Subject> {
  if (kind === 'post') {
    const { row, topic } = await openPost(app, userId, id as PostId)
    return { accusedId: row.user_id, fairId: topic.fairId, words: row.text }
  }
  if (kind === 'token') return await findTokenSubject(app, userId, id as TokenId)
  const user = await app.platform.db
    .selectFrom('users')
    .select(['id', 'username', 'profile_picture_url'])
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  if (user === undefined || (kind === 'picture' && user.profile_picture_url === null)) throw new PlayerNotFoundError()
  return { accusedId: id, fairId: null, words: kind === 'name' ? user.username : (user.profile_picture_url ?? '') }
}

async function findTokenSubject(app: App, userId: UserId, tokenId: TokenId): Promise<Subject> {
  const topic = await openTopic(app, userId, { tokenId })
  const token = await topic.app.platform.db
    .selectFrom('tokens')
    .select(['creator_id', 'name', 'symbol', 'description', 'website', 'x', 'telegram'])
    .where('id', '=', tokenId)
    .executeTakeFirst()
  if (token === undefined) throw new TokenNotFoundError()
  const { creator_id, name, symbol, ...more } = token
  const words = [`${name} (${symbol})`, ...Object.values(more)].filter((part) => part !== null).join('\n')
  return { accusedId: creator_id, fairId: isFairToken(tokenId) ? topic.fairId : null, words }
}

/** Lists the player's latest reports with their outcomes. */
export async function listReports({ platform: { db } }: App, userId: UserId): Promise<OwnReport[]> {
  const rows = await db
    .selectFrom('reports as r')
    .innerJoin('cases as c', 'c.id', 'r.case_id')
    .select(['c.kind', 'c.target_id', 'r.reason', 'r.created_at', 'c.outcome'])
    .where('r.user_id', '=', userId)
    .orderBy('r.id', 'desc')
    .limit(LISTED_MAX)
    .execute()
  return rows.map(({ kind, target_id, reason, created_at, outcome }) => {
    return { kind, id: target_id, reason, at: created_at.toISOString(), outcome }
  })
}

/** Lists moderators' acts on the player, without the moderators' names. */
export async function listActs({ platform: { db } }: App, userId: UserId): Promise<OwnAct[]> {
  const { rows } = await sql<Omit<OwnAct, 'at' | 'appealsUntil'> & { readonly at: Date }>`
    select l.id, l.at, l.act, coalesce(w.reason, '') as reason, coalesce(w.words, '') as words,
           exists (select from moderation_log u where u.undoes = l.id) as "isUndone",
           case when a.is_granted then 'granted' when not a.is_granted then 'refused'
             when a.log_id is not null then 'open' end as appeal
      from moderation_log l left join moderation_words w on w.log_id = l.id left join appeals a on a.log_id = l.id
     where l.concerned_id = ${userId} and l.act = any(${APPEALED})
     order by l.id desc limit ${LISTED_MAX}`.execute(db)
  return rows.map((row) => ({
    ...row,
    at: row.at.toISOString(),
    appealsUntil: new Date(row.at.getTime() + APPEAL_MS).toISOString(),
  }))
}

/** Appeals an act on the player. Throws `ActNotFoundError` and `AppealTooLateError`. */
export async function appeal(app: App, userId: UserId, { id, words }: AppealInput): Promise<{ ok: true }> {
  const { db, clock } = app.platform
  const act = await db
    .selectFrom('moderation_log')
    .select(['at', 'act'])
    .where('id', '=', id)
    .where('concerned_id', '=', userId)
    .executeTakeFirst()
  if (act === undefined || !APPEALED.includes(act.act)) throw new ActNotFoundError()
  const now = clock.now()
  if (now.getTime() - act.at.getTime() > APPEAL_MS) throw new AppealTooLateError()
  const { numInsertedOrUpdatedRows = 0n } = await db
    .insertInto('appeals')
    .values({ log_id: id, user_id: userId, words, created_at: now, decided_at: null, is_granted: null })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  if (numInsertedOrUpdatedRows === 0n) throw new AppealTooLateError()
  return { ok: true }
}

/** Returns the id of the open case about a thing. Opens a case if there is no open one. */
export async function openCase(
  tx: Tx,
  { kind, targetId, accusedId, fairId, words, heldFor = null, now }: NewCase,
): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    insert into cases (kind, target_id, accused_user_id, fair_id, words, held_for, opened_at)
    values (${kind}, ${targetId}, ${accusedId}, ${fairId}, ${words}, ${heldFor}, ${now})
    on conflict (kind, target_id) where decided_at is null do update set kind = cases.kind
    returning id`.execute(tx)
  const [opened] = rows
  if (opened === undefined) throw new Error('a case was not opened')
  return opened.id
}
