import { tokenId } from '@papermoon/engine'
import { z } from 'zod'

/** Max starred tokens of a player. */
export const WATCHLIST_MAX = 200

export const starInput = z.object({ id: tokenId })
export const mergeInput = z.object({
  tokenIds: z
    .array(tokenId)
    .max(WATCHLIST_MAX)
    .describe('The last one starred first; where not all find room, the first ones do.'),
})

export const watchlist = z
  .object({ tokenIds: z.array(tokenId).describe('The last one starred first.') })
  .meta({ id: 'Watchlist' })
export type Watchlist = z.output<typeof watchlist>
