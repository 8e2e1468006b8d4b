import { getNamed, type Named } from '@papermoon/contract/fair-tokens'
import type { Procedure } from '@papermoon/contract/procedure'
import type { Db, FairKind } from '@papermoon/db'
import { type DomainError, type TokenId, TokenNotFoundError, type UserId } from '@papermoon/engine'
import { type RawBuilder, sql } from 'kysely'
import type { CachedKind } from '../../cache/memory.ts'
import type { App, AppPart } from '../../context.ts'
import { FairNotFoundError } from './errors.ts'

export interface FairMarket {
  readonly app: App
  /** The player or guest who makes the call. Null if everyone can see the fairs. */
  readonly member: Member | null
}

interface Member {
  readonly fairIds: readonly number[]
  readonly userId: UserId
  /** The fairs or the token that the call's input contains. */
  readonly named: Named
}

type FindUserId = () => Promise<UserId | null>

/** Returns the app for the market of a call. `chooseMarket` checks whether the caller can see that market. */
export function getMarketOf(app: App, { inFairs }: Pick<Procedure, 'inFairs'>, input: unknown): App {
  return inFairs === true && getNamed(input) !== null ? (app.market.fairs ?? app) : app
}

/**
 * Throws `TokenNotFoundError` or `FairNotFoundError` if the fair or token does not exist, or belongs to a room that the
 * caller has not joined.
 */
export async function chooseMarket(app: App, named: Named, findUserId: FindUserId): Promise<FairMarket> {
  const { fairs: market = app } = app.market
  if ('tokenId' in named) {
    const fair = await findFairFor(market, named.tokenId, findUserId)
    if (fair === null) throw createRefusal(named)
    const { id, kind, userId } = fair
    return { app: market, member: userId !== null && isPrivate(kind) ? { fairIds: [id], userId, named } : null }
  }
  const fairs = await findFairs(market, named.fairs)
  if (fairs === null) throw createRefusal(named)
  const fairIds = fairs.filter(({ kind }) => isPrivate(kind)).map(({ id }) => id)
  if (fairIds.length === 0) return { app: market, member: null }
  const userId = await findUserId()
  if (userId === null || !(await isMember(market, fairIds, userId))) throw createRefusal(named)
  return { app: market, member: { fairIds, userId, named } }
}

/** Returns the error for a caller who cannot or can no longer see the fair or token. */
function createRefusal(named: Named): DomainError {
  return 'fairs' in named ? new FairNotFoundError() : new TokenNotFoundError()
}

/** Time between two checks whether players left a room or were removed, in ms. */
const CHECK_EVERY_MS = 2_000

/**
 * Calls `onLeft` when the caller has left or was removed from one of the fairs. Returns a function that stops the
 * checks.
 */
export function watchMember({ app, member }: FairMarket, onLeft: (refusal: DomainError) => void): () => void {
  if (member === null) return () => {}
  const look = async () => {
    if (!(await isMember(app, member.fairIds, member.userId))) onLeft(createRefusal(member.named))
  }
  // Ignore failures, because nothing is delivered while the database is unreachable.
  return app.platform.timers.every(CHECK_EVERY_MS, () => void look().catch(() => {}))
}

/** Properties of a token's fair that never change. */
export interface TokenFair {
  readonly id: number
  readonly kind: FairKind
}

const tokenFairs: CachedKind<TokenFair> = { name: 'fair of a token', sizeKb: () => 1 }

/** Finds the fair of a token. Returns null for an unknown token. */
export async function findFairOfToken(
  { platform, market: { memory } }: AppPart<'db' | 'memory'>,
  tokenId: TokenId,
): Promise<TokenFair | null> {
  const cached = memory.find(tokenFairs, tokenId)
  if (cached !== undefined) return cached
  const { rows } = await sql<TokenFair>`
    select f.id, f.kind from tokens t join fairs f on f.id = t.fair_id where t.id = ${tokenId}`.execute(platform.db)
  const [found] = rows
  if (found !== undefined) memory.store(tokenFairs, tokenId, found)
  return found ?? null
}

/** Finds the unchanging properties of some fairs. Returns null if one of the fairs does not exist. */
export async function findFairs(
  { platform: { db } }: AppPart<'db'>,
  ids: readonly number[],
): Promise<TokenFair[] | null> {
  const { rows } = await sql<TokenFair>`
    select id, kind from fairs where id = any(${[...ids]}::int[]) and id > 1`.execute(db)
  return rows.length < new Set(ids).size ? null : rows
}

/**
 * Finds the fair of a token if the caller can see the fair, otherwise null. The function takes equally long for a token
 * in another player's room and for an unknown token, so the response time reveals nothing.
 */
export async function findFairFor(
  { platform, market: { memory } }: AppPart<'db' | 'memory'>,
  tokenId: TokenId,
  findUserId: FindUserId,
): Promise<(TokenFair & { readonly userId: UserId | null }) | null> {
  const cached = memory.find(tokenFairs, tokenId)
  if (cached !== undefined && !isPrivate(cached.kind)) return { ...cached, userId: null }
  const userId = await findUserId()
  const { rows } = await sql<TokenFair & { readonly is_in: boolean | null }>`
    select f.id, f.kind, ${isMemberOf(userId)} as is_in
      from tokens t join fairs f on f.id = t.fair_id where t.id = ${tokenId}`.execute(platform.db)
  const [found] = rows
  if (found === undefined || (isPrivate(found.kind) && found.is_in !== true)) return null
  const fair = { id: found.id, kind: found.kind }
  memory.store(tokenFairs, tokenId, fair)
  return { ...fair, userId }
}

/** Returns whether only members can see this kind of fair. */
export function isPrivate(kind: FairKind): boolean {
  return kind === 'room' || kind === 'sandbox'
}

/** SQL for whether a player has joined or hosts the fair `f` of a query. For a guest, the SQL is never true. */
export function isMemberOf(userId: UserId | null | RawBuilder<unknown>): RawBuilder<boolean | null> {
  return sql`(f.host_id = ${userId} or exists (select from fairs.accounts a
    where a.fair_id = f.id and a.user_id = ${userId} and a.left_at is null))`
}

/** Returns whether a player has joined or hosts every one of the given fairs. */
export async function isMember(
  { platform: { db } }: AppPart<'db'>,
  fairIds: readonly number[],
  userId: UserId,
): Promise<boolean> {
  const { rows } = await sql`
    select from fairs f where f.id = any(${[...fairIds]}::int[]) and ${isMemberOf(userId)}`.execute(db)
  return rows.length === fairIds.length
}

/** Returns those of the given fairs that a player can see now. Only members can see rooms and sandboxes. */
export async function findVisibleFairs(db: Db, ids: readonly number[], userId: UserId): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select f.id from fairs f where f.id = any(${[...ids]}::int[]) and f.id > 1
       and (f.kind not in ('room', 'sandbox') or ${isMemberOf(userId)})`.execute(db)
  return rows.map(({ id }) => id)
}
