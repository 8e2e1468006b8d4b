import { figureText } from '@papermoon/db'
import type { TokenId, UserId } from '@papermoon/engine'
import { NotSignedInError, TokenNotFoundError } from '@papermoon/engine'
import type { App } from '../../context.ts'
import type { Position } from './schemas.ts'
import { findPosition } from './store.ts'

/** What a player has of a token, and their SOL. Throws `TokenNotFoundError`. */
export async function positionOf(app: App, userId: UserId, tokenId: TokenId): Promise<Position> {
  const row = await findPosition(app.db, userId, tokenId)
  if (row === undefined) throw new NotSignedInError()
  if (row.token_id === null) throw new TokenNotFoundError()
  return {
    tokenId,
    balance: figureText(row.sol_balance),
    amount: figureText(row.amount ?? '0'),
    cost: figureText(row.cost ?? '0'),
  }
}
