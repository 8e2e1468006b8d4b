import { z } from 'zod'
import { LAUNCHED_AT } from './example-market.ts'
import { tokenId, userId } from './ids.ts'
import { query } from './procedure.ts'

const facts = z.object({
  id: z.string(),
  emoji: z.string(),
  name: z.string(),
  rule: z.string().describe('How to earn it, in one sentence.'),
})
export type StickerFacts = z.output<typeof facts>

const album = z
  .object({
    stickers: z
      .array(
        facts.extend({
          earnedAt: z.iso.datetime().nullable().describe('Null if not earned yet.'),
          token: z
            .object({ id: tokenId, symbol: z.string(), emoji: z.string() })
            .nullable()
            .describe('The token it was earned with.'),
        }),
      )
      .describe('All stickers, in album order. Empty for house bots.'),
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
    summary: 'All stickers, with those a player has earned.',
    errors: ['NOT_FOUND'],
    example: {
      input: { id: 3 },
      answer: {
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
