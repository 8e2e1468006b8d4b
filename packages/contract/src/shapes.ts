import { z } from 'zod'
import { tokenId, userId } from './ids.ts'

export const NEXT_PAGE = '`nextCursor` of the previous page, also in its Link header.'

/** An exact decimal number as text. */
export const decimal = z.string().meta({ format: 'decimal' })
export const time = z.iso.datetime()
/** Whether a player is a bot. Responses contain this field with each username. */
export const isBot = z.boolean()

/** The response to calls that return no data. */
export const ok = z.object({ ok: z.literal(true) })

export const player = { id: userId, username: z.string(), isBot }
export const playerFields = { userId, username: z.string(), isBot }

export const tokenNames = { name: z.string(), symbol: z.string(), emoji: z.string() }
export const tokenShown = { id: tokenId, ...tokenNames }
export const tokenFields = { tokenId, tokenName: z.string(), tokenSymbol: z.string(), emoji: z.string() }

/** The field of a list with the cursor for its next page. */
export const pageCursor = (charactersMax: number) => z.string().max(charactersMax).optional().describe(NEXT_PAGE)

/** The cursor for the next page of a list that is ordered by a number. */
export function numberCursor(max: number) {
  const number = z.int().min(0).max(max).optional()
  return {
    cursor: number.describe(NEXT_PAGE),
    after: number.meta({ deprecated: true, description: 'The former name of `cursor`.' }),
  }
}

/** Returns the number after which the page starts. */
export function getPageStart({ cursor, after }: { cursor?: number | undefined; after?: number | undefined }): number {
  return cursor ?? after ?? 0
}
