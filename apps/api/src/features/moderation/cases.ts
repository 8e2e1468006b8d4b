import { CASES_PAGE, type CasesPage, type ModerationCase } from '@papermoon/contract/admin'
import { sql } from 'kysely'
import type { App } from '../../context.ts'
import { DAY_MS } from '../../lib/durations.ts'
import { getPostDb } from '../talk/public.ts'

/** Number of posts to show before and after the reported post. */
const CONTEXT = 3
const REASONS_MAX = 20
/** Number of cases on a page that are reserved for posts on hold, the oldest first. */
const HELD_ROOM = CASES_PAGE / 2

type CaseRow = Omit<ModerationCase, 'openedAt' | 'context' | 'accountAgeDays'> & {
  readonly openedAt: Date
  /** Time at which the accused player's account was created. */
  readonly createdAt: Date | null
}

/**
 * Lists open cases with their context. The most reported cases come first, and of these the oldest. Half of the page is
 * reserved for posts that wait for approval, so that a flood of reports does not delay them.
 */
export async function listCases(app: App): Promise<CasesPage> {
  const { db, clock } = app.platform
  const { rows } = await sql<CaseRow>`
    select c.id, c.kind, c.target_id as "targetId", c.fair_id as "fairId", c.words, c.held_for as "heldFor", c.reports,
           coalesce(r.reasons, '[]') as reasons, c.opened_at as "openedAt", c.outcome, u.created_at as "createdAt",
           case when u.id is not null then json_build_object('id', u.id, 'username', u.username) end as accused,
           (select count(*)::int from moderation_log l where l.concerned_id = c.accused_user_id and l.undoes is null
               and l.act in ('hide', 'delete', 'warn', 'mute', 'suspend')
               and not exists (select from moderation_log n where n.undoes = l.id)) as acts
      from (
        select * from (
          select *, row_number() over (partition by held_for is null order by id) as place
            from cases where decided_at is null) o
         order by o.held_for is not null and o.place <= ${HELD_ROOM} desc, o.reports desc, o.id limit ${CASES_PAGE}) c
      left join users u on u.id = c.accused_user_id
      left join lateral (select json_agg(json_build_object('reason', reason, 'note', note)) as reasons
        from (select reason, note from reports where case_id = c.id order by id limit ${REASONS_MAX}) r) r on true
     order by c.reports desc, c.id`.execute(db)
  const open = await countOpen(app)
  const cases = rows.map(async ({ createdAt, openedAt, ...row }) => ({
    ...row,
    openedAt: openedAt.toISOString(),
    context: await readContext(app, row),
    accountAgeDays: createdAt === null ? null : Math.floor((clock.now().getTime() - createdAt.getTime()) / DAY_MS),
  }))
  return { cases: await Promise.all(cases), open }
}

export async function countOpen({ platform: { db } }: App): Promise<number> {
  const { rows } = await sql<{ open: number }>`
    select count(*)::int as open from cases where decided_at is null`.execute(db)
  return rows[0]?.open ?? 0
}

/** Reads the posts around a post. */
async function readContext(app: App, { kind, targetId }: Pick<CaseRow, 'kind' | 'targetId'>): Promise<string[]> {
  if (kind !== 'post') return []
  const db = getPostDb(app, targetId)
  const post = await db
    .selectFrom('posts')
    .select(['topic', 'parent_id'])
    .where('id', '=', targetId)
    .executeTakeFirstOrThrow()
  const isBeside =
    post.parent_id === null ? sql`parent_id is null and topic = ${post.topic}` : sql`parent_id = ${post.parent_id}`
  const place = sql`(select created_at, id from posts where id = ${targetId})`
  const { rows } = await sql<{ line: string }>`
    select concat(u.username, ': ', case when p.state = 'deleted' then '(deleted)' else p.text end) as line
      from (
        (select * from posts where ${isBeside} and (created_at, id) < ${place}
          order by created_at desc, id desc limit ${CONTEXT})
        union all
        (select * from posts where ${isBeside} and (created_at, id) >= ${place}
          order by created_at, id limit ${CONTEXT + 1})
      ) p join users u on u.id = p.user_id order by p.created_at, p.id`.execute(db)
  return rows.map(({ line }) => line)
}
