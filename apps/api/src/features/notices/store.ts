import { NEWS_KINDS } from '@papermoon/contract/notices'
import type { Db, NoticeKind } from '@papermoon/db'
import type { UserId } from '@papermoon/engine'
import { sql } from 'kysely'

/** Counts a player's unread notices, except those about hidden tokens and about the player's own tokens. */
export async function countUnread(db: Db, userId: UserId): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from notices n join notice_causes c on c.id = n.cause_id
      left join tokens t on t.id = c.token_id
     where n.user_id = ${userId} and n.read_at is null and t.hidden_at is null
       and n.kind <> all(${[...NEWS_KINDS]})`.execute(db)
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

export async function findMuted(db: Db, userId: UserId): Promise<NoticeKind[]> {
  const row = await db.selectFrom('notice_settings').select('muted').where('user_id', '=', userId).executeTakeFirst()
  return row?.muted ?? []
}

export async function setMuted(db: Db, userId: UserId, muted: NoticeKind[]): Promise<void> {
  await db
    .insertInto('notice_settings')
    .values({ user_id: userId, muted })
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet({ muted }))
    .execute()
}
