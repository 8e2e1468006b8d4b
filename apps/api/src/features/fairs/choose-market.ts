import { isFairToken } from '@papermoon/contract/fairs'
import type { Procedure } from '@papermoon/contract/procedure'
import { type DomainError, type TokenId, TokenNotFoundError, type UserId } from '@papermoon/engine'
import type { App } from '../../context.ts'
import { FairNotFoundError } from './errors.ts'
import { findFairFor, findFairs, isMember, isPrivate } from './fair-of-token.ts'

export interface FairMarket {
  readonly app: App
  /** Whose call it is, where only members may see the fairs. */
  readonly member: Member | null
}

interface Member {
  readonly fairIds: readonly number[]
  readonly userId: UserId
  /** What the call names. */
  readonly named: Named
}

type FindUserId = () => Promise<UserId | null>

/** The fairs, or the token of a fair, that a call names; null where it names none. */
type Named = { readonly fairs: readonly number[] } | { readonly tokenId: TokenId }

/** Input of a procedure with `inFairs`. */
export function getNamed(input: unknown): Named | null {
  const { tokenId, id = tokenId, fairs } = Object(input) as { id?: unknown; tokenId?: unknown; fairs?: number[] }
  if (fairs !== undefined) return { fairs }
  return typeof id === 'number' && isFairToken(id) ? { tokenId: id as TokenId } : null
}

/** The app whose market a call is about; whether the caller may see it, `chooseMarket` says. */
export function getMarketOf(app: App, { inFairs }: Pick<Procedure, 'inFairs'>, input: unknown): App {
  return inFairs === true && getNamed(input) !== null ? (app.market.fairs ?? app) : app
}

/**
 * Throws `TokenNotFoundError` or `FairNotFoundError` for what does not exist, and for what is of a room that the caller is not in.
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

/** What a caller is told who may not see what is named, or not any more. */
function createRefusal(named: Named): DomainError {
  return 'fairs' in named ? new FairNotFoundError() : new TokenNotFoundError()
}

/** How soon an open subscription ends after its player left a room or was removed. */
const LOOK_EVERY_MS = 2_000

/** Calls `onLeft` once the player of a call is in one of its fairs no more. Returns the function that ends looking. */
export function watchMember({ app, member }: FairMarket, onLeft: (refusal: DomainError) => void): () => void {
  if (member === null) return () => {}
  const look = async () => {
    if (!(await isMember(app, member.fairIds, member.userId))) onLeft(createRefusal(member.named))
  }
  // While the database is away, nothing happens that could be seen.
  return app.platform.timers.every(LOOK_EVERY_MS, () => void look().catch(() => {}))
}
