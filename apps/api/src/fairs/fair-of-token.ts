import type { FairKind } from '@papermoon/db'
import type { TokenId, UserId } from '@papermoon/engine'
import { sql } from 'kysely'
import { LRUCache } from 'lru-cache'
import type { AppPart } from '../context.ts'
import { perDatabase } from '../database/per-database.ts'

/** What never changes of a token's fair. */
export interface TokenFair {
  readonly id: number
  readonly kind: FairKind
}

const CACHED_MAX = 20_000
const cacheOf = perDatabase(() => new LRUCache<TokenId, TokenFair>({ max: CACHED_MAX }))

/** The fair of one of its tokens; null for an unknown token. */
export async function findFairOfToken({ platform }: AppPart<'db'>, tokenId: TokenId): Promise<TokenFair | null> {
  const cache = cacheOf(platform)
  const cached = cache.get(tokenId)
  if (cached !== undefined) return cached
  const { rows } = await sql<TokenFair>`
    select f.id, f.kind from tokens t join fairs f on f.id = t.fair_id where t.id = ${tokenId}`.execute(platform.db)
  const [found] = rows
  if (found !== undefined) cache.set(tokenId, found)
  return found ?? null
}

/** Whether only those who are in it may know anything of such a fair. */
export function isPrivate(kind: FairKind): boolean {
  return kind === 'room' || kind === 'sandbox'
}

/** Whether a player is in a fair, or is its host. */
export async function isMember({ platform: { db } }: AppPart<'db'>, fairId: number, userId: UserId): Promise<boolean> {
  const { rows } = await sql<{ is_in: boolean }>`
    select exists (select from fairs.accounts where fair_id = ${fairId} and user_id = ${userId} and left_at is null)
      or exists (select from fairs where id = ${fairId} and host_id = ${userId}) as is_in`.execute(db)
  return rows[0]?.is_in === true
}
