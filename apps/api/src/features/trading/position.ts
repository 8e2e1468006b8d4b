import type { PositionAnswer } from '@papermoon/contract/trading'
import { type Db, formatNumeric } from '@papermoon/db'
import { NotSignedInError, type TokenId, TokenNotFoundError, type UserId } from '@papermoon/engine'
import { sql } from 'kysely'
import type { AppPart } from '../../context.ts'
import { findAccountId } from '../fairs/public.ts'
import { toPool, toPoolState } from '../portfolio/public.ts'

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

interface PositionRow {
  readonly sol_balance: string
  /** Id of the token. Null if the player cannot see a token with this id. */
  readonly token_id: number | null
  readonly is_hidden: boolean | null
  readonly amount: string | null
  readonly cost: string | null
}

/** Finds the balance of an account, and the player's holding of a token. Only a hidden token's holders can see it. */
export async function findPosition(
  db: Db,
  { accountId, tokenId }: { readonly accountId: number; readonly tokenId: TokenId },
): Promise<PositionRow | undefined> {
  const { rows } = await sql<PositionRow>`
    select a.sol_balance, t.id as token_id, t.hidden_at is not null as is_hidden, h.amount, h.cost
      from accounts a
      left join holdings h on h.user_id = a.user_id and h.token_id = ${tokenId} and h.amount > 0
      left join tokens t on t.id = ${tokenId} and (t.hidden_at is null or h.token_id is not null)
     where a.account_id = ${accountId}`.execute(db)
  return rows[0]
}

/** Finds a token with its pool, even if the token is hidden. */
async function findTokenWithPool(db: Db, tokenId: TokenId) {
  return await db
    .selectFrom('tokens as t')
    .innerJoin('pools as p', 'p.token_id', 't.id')
    .select(['t.name', 't.symbol', 't.emoji', 'p.sol_reserve', 'p.virtual_sol', 'p.token_reserve', 'p.rugged_at'])
    .where('t.id', '=', tokenId)
    .executeTakeFirstOrThrow()
}
