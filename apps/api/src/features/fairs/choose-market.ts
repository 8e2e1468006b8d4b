import { getNamed, type Named } from '@papermoon/contract/fair-tokens'
import type { Procedure } from '@papermoon/contract/procedure'
import { type DomainError, TokenNotFoundError, type UserId } from '@papermoon/engine'
import type { App } from '../../context.ts'
import { FairNotFoundError } from './errors.ts'
import { findFairFor, findFairs, isMember, isPrivate } from './fair-of-token.ts'

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
