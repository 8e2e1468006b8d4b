import type { z } from 'zod'
import type { App } from '../../context.ts'
import { readCursor, writeCursor } from './cursor.ts'
import type { listInput, TokenPage } from './schemas.ts'
import { findTokens } from './store.ts'
import { tokenOf } from './token-of.ts'

/** One page of tokens. Throws `BadInputError` for a cursor that is none. */
export async function listTokens(app: App, input: z.output<typeof listInput>): Promise<TokenPage> {
  const { sort, limit } = input
  const after = input.cursor ? readCursor(sort, input.cursor) : null
  const search = input.search?.normalize('NFC').trim() ?? ''
  // One more than asked tells whether there is a next page.
  const rows = await findTokens(app.db, { search, sort, limit: limit + 1, after, now: app.clock.now() })
  const page = rows.slice(0, limit)
  const last = page.at(-1)
  const nextCursor = rows.length > limit && last !== undefined ? writeCursor(sort, last) : null
  return { tokens: page.map(tokenOf), nextCursor }
}
