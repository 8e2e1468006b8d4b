import type { Db } from '@papermoon/db'
import { sql } from 'kysely'

/** Marks all events as processed for stickers, so that players get no notices about stickers during a test. */
export async function giveNoStickers(db: Db): Promise<void> {
  await sql`update notice_position
    set sticker_entry = 1e15, sticker_token = 2000000000, sticker_day_entry = 1e15, sticker_at = 'now'`.execute(db)
}
