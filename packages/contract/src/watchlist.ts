import { z } from 'zod'
import { tokenId } from './ids.ts'
import { mutation, query } from './procedure.ts'

export const WATCHLIST_MAX = 200

export const starInput = z.object({ id: tokenId })
export const mergeInput = z.object({
  tokenIds: z
    .array(tokenId)
    .max(WATCHLIST_MAX)
    .describe('Ids of the tokens, last starred first. Ids after the first 200 are ignored.'),
})

export const watchlist = z
  .object({ tokenIds: z.array(tokenId).describe('Ids of the tokens, last starred first.') })
  .meta({ id: 'Watchlist' })
export type Watchlist = z.output<typeof watchlist>

export const watchlistProcedures = {
  get: query({
    output: watchlist,
    rest: 'GET /api/watchlist',
    operationId: 'getWatchlist',
    summary: 'Lists the tokens that you starred, most recently starred first, at most 200.',
    example: { response: { tokenIds: [7] } },
  }),
  add: mutation({
    input: starInput,
    output: watchlist,
    rest: 'PUT /api/watchlist/{id}',
    operationId: 'addToWatchlist',
    summary: 'Stars a token.',
    errors: ['TOKEN_NOT_FOUND', 'WATCHLIST_FULL'],
    example: { input: { id: 7 }, response: { tokenIds: [7] } },
  }),
  remove: mutation({
    input: starInput,
    output: watchlist,
    rest: 'DELETE /api/watchlist/{id}',
    operationId: 'removeFromWatchlist',
    summary: 'Removes your star from a token. If the token has no star, nothing changes.',
    example: { input: { id: 7 }, response: { tokenIds: [] } },
  }),
  merge: mutation({
    input: mergeInput,
    output: watchlist,
    rest: 'POST /api/watchlist',
    operationId: 'mergeWatchlist',
    summary: 'Stars several tokens. Ignores unknown tokens, and tokens beyond the limit of 200 stars.',
    example: { input: { tokenIds: [7, 9] }, response: { tokenIds: [7, 9] } },
  }),
}
