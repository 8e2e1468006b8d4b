/** Players also get the stickers for arenas that ended before this migration. */
export const statements = ["update notice_position set sticker_at = '2000-01-01T00:00:00Z'"]
