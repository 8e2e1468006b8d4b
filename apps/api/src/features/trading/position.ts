import { formatNumeric } from '@papermoon/db'
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
    balance: formatNumeric(row.sol_balance),
    amount: formatNumeric(row.amount ?? '0'),
    cost: formatNumeric(row.cost ?? '0'),
  }
}
