import type { Db } from '@papermoon/db'
import { sql } from 'kysely'

/** Moves the stickers' position past everything, so that players of a test have the notices that it is about alone. */
export async function giveNoStickers(db: Db): Promise<void> {
  await sql`update notice_position
    set sticker_entry = 1e15, sticker_token = 2000000000, sticker_day_entry = 1e15, sticker_at = 'now'`.execute(db)
}
