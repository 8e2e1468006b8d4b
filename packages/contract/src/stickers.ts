import { z } from 'zod'
import { LAUNCHED_AT } from './example-market.ts'
import { tokenId, userId } from './ids.ts'
import { query } from './procedure.ts'

const facts = z.object({
  id: z.string(),
  emoji: z.string(),
  name: z.string(),
  rule: z.string().describe('How to earn the sticker, in one sentence.'),
})
export type StickerFacts = z.output<typeof facts>

const album = z
  .object({
    stickers: z
      .array(
        facts.extend({
          earnedAt: z.iso.datetime().nullable().describe('When the sticker was earned, or null if not earned.'),
          token: z
            .object({ id: tokenId, symbol: z.string(), emoji: z.string() })
            .nullable()
            .describe('The token with which the sticker was earned.'),
        }),
      )
      .describe('All stickers, in album order. House bots have no stickers.'),
  })
  .meta({ id: 'StickerAlbum' })
export type StickerAlbum = z.output<typeof album>

export const stickersProcedures = {
  list: query({
    access: 'anyone',
    input: z.object({ id: userId }),
    output: album,
    rest: 'GET /api/users/{id}/stickers',
    operationId: 'listStickers',
    summary: 'Lists all stickers, and says which of them a player has earned.',
    errors: ['NOT_FOUND'],
    example: {
      input: { id: 3 },
      response: {
        stickers: [
          {
            id: 'first-buy',
            emoji: '🎟️',
            name: 'First ride',
            rule: 'Buy a token.',
            earnedAt: LAUNCHED_AT,
            token: { id: 7, symbol: 'MOON', emoji: '🌙' },
          },
        ],
      },
    },
  }),
}
