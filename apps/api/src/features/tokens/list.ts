import type { z } from 'zod'
import type { App } from '../../context.ts'
import { SharedReading } from '../../shared-reading.ts'
import { readCursor, writeCursor } from './cursor.ts'
import type { listInput, TokenPage } from './schemas.ts'
import { findTokens, type PageQuery } from './store.ts'
import { tokenOf } from './token-of.ts'

type ListInput = z.output<typeof listInput>

const TOKENS_PER_READ = 50
/** How long a change that is no event of the market, such as an operator's hiding, may go unseen. */
const MAX_AGE_MS = 1_000
/** Of most callers, who ask for the same few first pages. */
const SHARED_MAX = 16

/** By app, the first pages that callers share: by what was asked, the last asked last. */
const shared = new WeakMap<object, Map<string, SharedReading<TokenPage>>>()

/** What a page costs of the `read` limit, beside the call itself. */
export function readsOf({ limit }: ListInput): number {
  return Math.floor(limit / TOKENS_PER_READ)
}

/**
 * One page of tokens. Throws `BadInputError` for a cursor that is none. First pages are read once for everybody who asks
 * within a second while nothing happens on the market.
 */
export async function listTokens(app: App, input: ListInput): Promise<TokenPage> {
  const { sort, limit } = input
  const after = input.cursor ? readCursor(sort, input.cursor) : null
  const search = input.search?.normalize('NFC').trim() ?? ''
  const now = app.clock.now()
  const read = () => readPage(app, { search, sort, limit, after, now })
  if (after !== null || search !== '') return await read()
  return await firstPage(app, `${sort} ${limit}`).get(now.getTime(), read)
}

function firstPage(app: App, key: string): SharedReading<TokenPage> {
  const pages = shared.get(app) ?? new Map<string, SharedReading<TokenPage>>()
  shared.set(app, pages)
  const page = pages.get(key) ?? new SharedReading<TokenPage>(MAX_AGE_MS, () => app.feed.version)
  pages.delete(key)
  pages.set(key, page)
  const [oldest] = pages.keys()
  if (pages.size > SHARED_MAX && oldest !== undefined) pages.delete(oldest)
  return page
}

async function readPage({ db }: App, query: PageQuery): Promise<TokenPage> {
  const { sort, limit } = query
  // One more than asked tells whether there is a next page.
  const rows = await findTokens(db, { ...query, limit: limit + 1 })
  const page = rows.slice(0, limit)
  const last = page.at(-1)
  const nextCursor = rows.length > limit && last !== undefined ? writeCursor(sort, last) : null
  return { tokens: page.map(tokenOf), nextCursor }
}
