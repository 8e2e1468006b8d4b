import type { Heads } from '@papermoon/contract/proof'
import type { TokenId } from '@papermoon/engine'
import type { AppPart } from '../../context.ts'
import { NotPublishedError } from './chain.ts'
import { findHeads, findPublication, lastHour, type RowsAfter } from './publish-heads.ts'

/** Reads a page of the latest publication of hashes. Throws `NotPublishedError` if there is no publication yet. */
export async function latestHeads({ platform: { db } }: AppPart<'db'>, page: RowsAfter): Promise<Heads> {
  const hour = await lastHour(db)
  if (hour === null) throw new NotPublishedError('yet')
  return await headsAt({ platform: { db } }, hour, page)
}

/** Reads a page of the publication of an hour, which never changes. Throws `NotPublishedError`. */
export async function headsAt({ platform: { db } }: AppPart<'db'>, hour: Date, page: RowsAfter): Promise<Heads> {
  const publication = await findPublication(db, hour)
  if (publication === undefined) throw new NotPublishedError('for this hour')
  const rows = await findHeads(db, hour, page)
  const heads = rows.map((row) => ({ ...row, tokenId: row.tokenId as TokenId }))
  const { published_at: publishedAt, tokens, previous, digest } = publication
  return {
    hour: hour.toISOString(),
    publishedAt: publishedAt.toISOString(),
    tokens,
    previous,
    digest,
    heads,
    nextAfter: heads.length < page.limit ? null : (heads.at(-1)?.tokenId ?? null),
  }
}
