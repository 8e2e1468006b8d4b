import { isFairToken } from '@papermoon/contract/fairs'
import type { Procedure } from '@papermoon/contract/procedure'
import { type TokenId, TokenNotFoundError, type UserId } from '@papermoon/engine'
import type { App } from '../context.ts'
import { findFairOfToken, isMember, isPrivate } from './fair-of-token.ts'

/** The token of a fair that a call is about; null for all other calls. */
export function getFairToken({ inFairs }: Pick<Procedure, 'inFairs'>, input: unknown): TokenId | null {
  if (inFairs !== true) return null
  const { tokenId, id = tokenId } = Object(input) as { id?: unknown; tokenId?: unknown }
  return typeof id === 'number' && isFairToken(id) ? (id as TokenId) : null
}

/** The app that has the market of a fair's token. */
export interface FairMarket {
  readonly app: App
  /** Whose call it is, where only members may see the fair. */
  readonly member: Member | null
}

interface Member {
  readonly fairId: number
  readonly userId: UserId
}

/** Throws `TokenNotFoundError` for an unknown token, and for one of a room that the caller is not in. */
export async function chooseMarket(
  app: App,
  tokenId: TokenId,
  findUserId: () => Promise<UserId | null>,
): Promise<FairMarket> {
  const { fairs = app } = app.market
  const fair = await findFairOfToken(fairs, tokenId)
  if (fair === null) throw new TokenNotFoundError()
  if (!isPrivate(fair.kind)) return { app: fairs, member: null }
  const userId = await findUserId()
  if (userId === null || !(await isMember(fairs, fair.id, userId))) throw new TokenNotFoundError()
  return { app: fairs, member: { fairId: fair.id, userId } }
}

/** How soon an open subscription ends after its player left a room or was removed. */
const LOOK_EVERY_MS = 2_000

/** Calls `onLeft` once the player of a call is in its fair no more. Returns the function that ends looking. */
export function watchMember({ app, member }: FairMarket, onLeft: (error: TokenNotFoundError) => void): () => void {
  if (member === null) return () => {}
  const look = async () => {
    if (!(await isMember(app, member.fairId, member.userId))) onLeft(new TokenNotFoundError())
  }
  // While the database is away, nothing happens that could be seen.
  const timer = setInterval(() => void look().catch(() => {}), LOOK_EVERY_MS).unref()
  return () => clearInterval(timer)
}
