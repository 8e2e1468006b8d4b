import type { StickerAlbum } from '@papermoon/contract/stickers'
import type { TokenId, UserId } from '@papermoon/engine'
import { sql } from 'kysely'
import type { AppPart } from '../../context.ts'
import { visibleTokens } from '../../database/conditions.ts'
import { defineError } from '../../errors.ts'
import { STICKERS } from './sticker-list.ts'

class NoSuchPlayerError extends defineError('NOT_FOUND', 'User not found.') {}

interface GivenRow {
  readonly sticker: string
  readonly at: Date
  readonly token_id: TokenId | null
  readonly symbol: string | null
  readonly emoji: string | null
}

/** Lists all stickers, each with the time at which a player got it. Throws `NoSuchPlayerError`. */
export async function listStickers({ platform: { db } }: AppPart<'db'>, userId: UserId): Promise<StickerAlbum> {
  const user = await db.selectFrom('users').select('kind').where('id', '=', userId).executeTakeFirst()
  if (user === undefined) throw new NoSuchPlayerError()
  if (user.kind === 'house') return { stickers: [] }
  const { rows } = await sql<GivenRow>`
    select s.sticker, s.at, t.id as token_id, t.symbol, t.emoji
      from stickers s left join ${visibleTokens} t on t.id = s.token_id where s.user_id = ${userId}`.execute(db)
  const given = new Map(rows.map((row) => [row.sticker, row]))
  return {
    stickers: STICKERS.map(({ id, emoji, name, rule }) => {
      const row = given.get(id)
      const { token_id, symbol, emoji: tokenEmoji } = row ?? {}
      const hasToken = token_id != null && symbol != null && tokenEmoji != null
      return {
        id,
        emoji,
        name,
        rule,
        earnedAt: row?.at.toISOString() ?? null,
        token: hasToken ? { id: token_id, symbol, emoji: tokenEmoji } : null,
      }
    }),
  }
}
