import type { PositionAnswer } from '@papermoon/contract/trading'
import { formatNumeric } from '@papermoon/db'
import type { TokenId, UserId } from '@papermoon/engine'
import { NotSignedInError, TokenNotFoundError } from '@papermoon/engine'
import type { AppPart } from '../../context.ts'
import { findAccountId } from '../fairs/public.ts'
import { toPool, toPoolState } from '../portfolio/public.ts'
import { findPosition, findTokenWithPool } from './store.ts'

type Parts = AppPart<'db' | 'fairs'>

/**
 * Returns a player's holding of a token and the player's SOL. Holders of a hidden token can still sell it, so the
 * result includes the data for its page. Throws `TokenNotFoundError`, also for a hidden token that the player does not
 * hold.
 */
export async function getPosition(app: Parts, userId: UserId, tokenId: TokenId): Promise<PositionAnswer> {
  const { db } = app.platform
  const row = await findPosition(db, { accountId: await findAccountId(app, userId, tokenId), tokenId })
  if (row === undefined) throw new NotSignedInError()
  if (row.token_id === null) throw new TokenNotFoundError()
  return {
    tokenId,
    balance: formatNumeric(row.sol_balance),
    amount: formatNumeric(row.amount ?? '0'),
    cost: formatNumeric(row.cost ?? '0'),
    ...(row.is_hidden && { hiddenToken: await getHiddenToken({ platform: { db } }, tokenId) }),
  }
}

async function getHiddenToken(
  { platform: { db } }: AppPart<'db'>,
  tokenId: TokenId,
): Promise<PositionAnswer['hiddenToken']> {
  const { name, symbol, emoji, ...pool } = await findTokenWithPool(db, tokenId)
  return {
    name,
    symbol,
    emoji,
    pool: toPoolState(toPool(pool)),
    ruggedAt: pool.rugged_at?.toISOString() ?? null,
  }
}
