import { NOTICE_KINDS, NOTICES_MAX, type news, type notice } from '@papermoon/contract/notices'
import { type Db, formatNumeric, type NoticeSettingsTable } from '@papermoon/db'
import type { UserId } from '@papermoon/engine'
import type { NoticeFacts } from '@papermoon/format/notice-text'
import { type RawBuilder, sql } from 'kysely'
import type { z } from 'zod'
import { IS_BOT } from '../../database/conditions.ts'

type Earlier = z.output<typeof notice>
type Later = z.output<typeof news>

/** A notice for a player. Each field that does not apply to the notice's kind is null. */
export type Notice = Omit<Earlier, 'kind'> & Omit<Later, 'kind'> & { readonly kind: (Earlier | Later)['kind'] }

/** A notice, or a reminder of the daily game. Only push messages show reminders. */
type Pushed = Omit<Notice, 'kind'> & Pick<NoticeFacts, 'kind' | 'reminder'>

const IS_LISTED = sql`n.kind <> 'reminder'`

export interface PlayerNotice {
  readonly userId: UserId
  readonly notice: Notice
}

/** Finds at most `NOTICES_MAX` notices of a player, newest first. Notices about hidden tokens are left out. */
export async function findNotices(db: Db, userId: UserId): Promise<Notice[]> {
  const rows = await select(db, sql`${IS_LISTED} and n.user_id = ${userId} order by n.id desc limit ${NOTICES_MAX}`)
  return rows.map(({ notice }) => notice)
}

/** Finds the notices of these players after an id, oldest first. */
export async function findNoticesAfter(
  db: Db,
  userIds: readonly UserId[],
  { after, most }: { readonly after: number; readonly most: number },
): Promise<PlayerNotice[]> {
  return await select(
    db,
    sql`${IS_LISTED} and n.id > ${after} and n.user_id = any(${userIds}::int[]) order by n.id limit ${most}`,
  )
}

/** Finds a notice or reminder by its id. Returns null if the notice was deleted or read, or is about a hidden token. */
export async function findUnreadNotice(db: Db, id: number): Promise<Pushed | null> {
  const [found] = await select<Pushed>(db, sql`n.id = ${id} and n.read_at is null`)
  return found?.notice ?? null
}

/** Finds the last id of all notices; 0 if there are none. */
export async function findLastNoticeId(db: Db): Promise<number> {
  const row = await db.selectFrom('notices').select('id').orderBy('id', 'desc').limit(1).executeTakeFirst()
  return row?.id ?? 0
}

async function select<Shown extends Pushed = Notice>(
  db: Db,
  which: RawBuilder<unknown>,
): Promise<{ userId: UserId; notice: Shown }[]> {
  const { rows } = await sql<NoticeRow>`
    select n.id, n.user_id, n.created_at, n.read_at, c.kind, c.times, c.seq, c.tokens, c.sol, c.detail, t.supply, p.parent_id, p.text,
           case when f.id is not null then json_build_object('id', f.id, 'name', f.name) end as fair,
           case when t.name is not null then json_build_object('id', c.token_id, 'name', t.name, 'symbol', t.symbol,
             'emoji', t.emoji, 'isRugged', t.is_rugged) end as token,
           case when u.id is not null then json_build_object('id', u.id, 'username', u.username,
             'isBot', ${IS_BOT}) end as actor
      from notices n join notice_causes c on c.id = n.cause_id
      left join lateral (
        select name, symbol, emoji, supply, is_rugged, hidden_at from tokens where id = c.token_id
        union all
        select name, symbol, emoji, supply, is_rugged, hidden_at from fairs.tokens where id = c.token_id
      ) t on true
      left join users u on u.id = c.actor_id
      left join fairs f on f.id = coalesce((c.detail->>'fairId')::int, -(c.detail->>'topic')::int)
       and (f.kind <> 'room' or f.host_id = n.user_id or exists (
         select from fairs.accounts a where a.fair_id = f.id and a.user_id = n.user_id and a.left_at is null))
      left join lateral (
        select parent_id, case when state = 'shown' and not exists (
                 select from blocks b where b.user_id = n.user_id and b.blocked_user_id = said.user_id) then text else '' end as text
          from (select id, parent_id, user_id, state, text from posts
                union all select id, parent_id, user_id, state, text from fairs.posts) said
         where id = case when c.detail ? 'topic' then (c.detail->>'id')::int end
      ) p on true
     where t.hidden_at is null and (f.id is not null or not c.detail ? 'fairId') and ${which}`.execute(db)
  return rows.map((row) => ({ userId: row.user_id, notice: toNotice(row) as Shown }))
}

interface NoticeRow {
  readonly id: number
  readonly user_id: UserId
  readonly created_at: Date
  readonly read_at: Date | null
  readonly kind: Pushed['kind']
  readonly times: number
  readonly token: Notice['token']
  readonly actor: Notice['actor']
  readonly seq: number | null
  readonly tokens: string | null
  readonly sol: string | null
  readonly detail: Readonly<Record<string, string | number>>
  readonly supply: string | null
  readonly fair: Notice['fair']
  readonly parent_id: number | null
  readonly text: string | null
}

function toNotice(row: NoticeRow): Pushed {
  const { detail } = row
  return {
    id: row.id,
    kind: row.kind,
    createdAt: row.created_at.toISOString(),
    readAt: row.read_at?.toISOString() ?? null,
    times: row.times,
    token: row.token,
    actor: row.actor,
    seq: row.seq,
    tokens: row.kind === 'holder' ? String(detail.value) : toText(row.tokens),
    sol:
      row.kind === 'buyer' || (('fairId' in detail || 'windowEnd' in detail) && 'value' in detail)
        ? String(detail.value)
        : toText(row.sol),
    supply: toText(row.supply),
    rank: detail.rank === undefined ? null : Number(detail.rank),
    rankNow: row.kind === 'top3' && detail.rankNow !== undefined ? Number(detail.rankNow) : null,
    alert: row.kind === 'alert' ? toAlert(detail) : null,
    sticker: row.kind === 'sticker' ? toSticker(detail) : null,
    milestone:
      row.kind === 'milestone'
        ? { measure: detail.measure as 'marketCap' | 'holders', value: String(detail.value) }
        : null,
    seal: row.kind === 'seal' ? { stage: detail.stage as SealStage, until: String(detail.until) } : null,
    post: 'topic' in detail ? toPost(row) : null,
    order: row.kind === 'order' ? toOrder(detail) : null,
    fair: row.fair,
    rematchId: 'rematchId' in detail ? Number(detail.rematchId) : null,
    quest: 'quest' in detail ? String(detail.quest) : null,
    windowEnd: 'windowEnd' in detail ? String(detail.windowEnd) : null,
    moderation:
      row.kind === 'moderation'
        ? { act: String(detail.act), about: String(detail.about), isReport: detail.isReport === 1 }
        : null,
    ...(row.kind === 'reminder' && {
      reminder: {
        isTapeOpen: detail.isTapeOpen === 1,
        streak: Number(detail.streak),
        leagueEnds: detail.leagueEnds === 1,
      },
    }),
  }
}

function toPost({ detail, parent_id, text }: NoticeRow): Notice['post'] {
  const [id, about] = [Number(detail.id), Number(detail.topic)]
  return {
    id,
    tokenId: about > 0 ? about : null,
    fairId: about > 0 ? null : -about,
    parentId: parent_id,
    text: text ?? '',
  }
}

type SealStage = NonNullable<Notice['seal']>['stage']
type Alert = NonNullable<Notice['alert']>

function toAlert({ measure, value, direction, price }: NoticeRow['detail']): Notice['alert'] {
  return {
    measure: measure as Alert['measure'],
    value: String(value),
    direction: direction as Alert['direction'],
    price: String(price),
  }
}

function toSticker({ id, emoji, name, rule, more }: NoticeRow['detail']): Notice['sticker'] {
  return { id: String(id), emoji: String(emoji), name: String(name), rule: String(rule), more: Number(more) }
}

function toOrder({ kind, state, cause, waitsAt = '' }: NoticeRow['detail']): Notice['order'] {
  return {
    kind: String(kind),
    state: String(state),
    cause: cause === '' ? null : String(cause),
    waitsAt: waitsAt === '' ? null : String(waitsAt),
  }
}

function toText(figure: string | null): string | null {
  return figure === null ? null : formatNumeric(figure)
}

/** Counts a player's unread notices, except those about hidden tokens and about the player's own tokens. */
export async function countUnread(db: Db, userId: UserId): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from notices n join notice_causes c on c.id = n.cause_id
      left join tokens t on t.id = c.token_id
     where n.user_id = ${userId} and n.read_at is null and t.hidden_at is null
       and n.kind = any(${[...NOTICE_KINDS]})`.execute(db)
  return rows[0]?.count ?? 0
}

export async function markRead(
  db: Db,
  userId: UserId,
  { ids, now }: { ids: readonly number[]; now: Date },
): Promise<void> {
  await db
    .updateTable('notices')
    .set({ read_at: now })
    .where('user_id', '=', userId)
    .where('id', 'in', ids)
    .where('read_at', 'is', null)
    .execute()
}

export interface NoticeChoices {
  readonly muted: NoticeSettingsTable['muted']
  /** Hour in UTC at which the daily reminder is sent. Null if there is none. */
  readonly reminderHour: number | null
  readonly reminderByMail: boolean
}

export async function findChoices(db: Db, userId: UserId): Promise<NoticeChoices> {
  const row = await db
    .selectFrom('notice_settings')
    .select(['muted', 'reminder_hour', 'reminder_by_mail'])
    .where('user_id', '=', userId)
    .executeTakeFirst()
  return {
    muted: row?.muted ?? [],
    reminderHour: row?.reminder_hour ?? null,
    reminderByMail: row?.reminder_by_mail ?? false,
  }
}

export async function setChoices(db: Db, userId: UserId, chosen: NoticeChoices): Promise<void> {
  const { muted, reminderHour, reminderByMail } = chosen
  const choices = { muted, reminder_hour: reminderHour, reminder_by_mail: reminderByMail }
  await db
    .insertInto('notice_settings')
    .values({ user_id: userId, ...choices })
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet(choices))
    .execute()
}
