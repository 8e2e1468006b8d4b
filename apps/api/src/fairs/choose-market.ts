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

/**
 * The app that has the market of a fair's token. Throws `TokenNotFoundError` for an unknown token, and for one of a room that the
 * caller is not in.
 */
export async function chooseMarket(app: App, tokenId: TokenId, findUserId: () => Promise<UserId | null>): Promise<App> {
  const { fairs = app } = app.market
  const fair = await findFairOfToken(fairs, tokenId)
  if (fair === null) throw new TokenNotFoundError()
  if (!isPrivate(fair.kind)) return fairs
  const userId = await findUserId()
  if (userId === null || !(await isMember(fairs, fair.id, userId))) throw new TokenNotFoundError()
  return fairs
}
