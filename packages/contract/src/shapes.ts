import { z } from 'zod'
import { tokenId, userId } from './ids.ts'

export const NEXT_PAGE = '`nextCursor` of the page before; over REST its Link header has the address.'

/** An exact decimal number as text. */
export const decimal = z.string().meta({ format: 'decimal' })
/** A time of an answer. */
export const time = z.iso.datetime()
/** Beside each name. */
export const isBot = z.boolean()

/** The answer of what has nothing to say. */
export const ok = z.object({ ok: z.literal(true) })

export const player = { id: userId, username: z.string(), isBot }
/** A player among fields of something else. */
export const playerFields = { userId, username: z.string(), isBot }

export const tokenNames = { name: z.string(), symbol: z.string(), emoji: z.string() }
export const tokenShown = { id: tokenId, ...tokenNames }
/** A token among fields of something else. */
export const tokenFields = { tokenId, tokenName: z.string(), tokenSymbol: z.string(), emoji: z.string() }

/** Where a page begins that follows another. */
export const pageCursor = (charactersMax: number) => z.string().max(charactersMax).optional().describe(NEXT_PAGE)

/** The same for lists in the order of a number. */
export function numberCursor(max: number) {
  const number = z.int().min(0).max(max).optional()
  return {
    cursor: number.describe(NEXT_PAGE),
    after: number.meta({ deprecated: true, description: 'The earlier name of cursor.' }),
  }
}

/** The number that a page follows. */
export function getPageStart({ cursor, after }: { cursor?: number | undefined; after?: number | undefined }): number {
  return cursor ?? after ?? 0
}
