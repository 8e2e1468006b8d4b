import type { Decimal } from '@papermoon/amm'
import type { Quote, QuoteInput } from '@papermoon/contract/trading'
import type { Db } from '@papermoon/db'
import { quoteLaunch, quoteTrade, type TokenId, TokenNotFoundError, type UserId } from '@papermoon/engine'
import { sql } from 'kysely'
import type { AppPart } from '../../../context.ts'
import { toPool } from '../../portfolio/public.ts'

type Parts = AppPart<'db'>

/**
 * Quotes an order by the engine's rules, as if the player could afford it. Throws the engine's `DomainError`s, for
 * example if the order is too small. Throws `TokenNotFoundError` also for a hidden token, unless its holder sells it.
 */
export async function getQuote({ platform: { db } }: Parts, userId: UserId | null, input: QuoteInput): Promise<Quote> {
  const { side, solAmount: sol, tokenAmount: tokens, initialBuyAmount } = input
  if (side === 'launch') return { side, tokenId: null, ...quoteLaunch(initialBuyAmount) }
  const token = await readToken({ platform: { db } }, input.tokenId as TokenId, { userId, side })
  const order = side === 'buy' ? { kind: side, sol: sol as Decimal } : { kind: side, tokens: tokens as Decimal }
  return { side, tokenId: token.tokenId, ...quoteTrade(token, order as never), launchFee: null }
}

async function readToken(
  { platform: { db } }: Parts,
  tokenId: TokenId,
  { userId, side }: { readonly userId: UserId | null; readonly side: 'buy' | 'sell' },
) {
  const row = await findQuotedToken(db, tokenId, userId)
  const isVisible = row !== undefined && (!row.is_hidden || (side === 'sell' && row.is_held))
  if (!isVisible) throw new TokenNotFoundError()
  return { tokenId, pool: toPool(row), seq: row.seq }
}

interface QuotedTokenRow {
  readonly sol_reserve: string
  readonly virtual_sol: string
  readonly token_reserve: string
  readonly seq: number
  readonly is_hidden: boolean
  readonly is_held: boolean
}

/** Finds a token's current pool, even if the token is hidden, and whether this player holds the token. */
async function findQuotedToken(db: Db, tokenId: TokenId, userId: UserId | null): Promise<QuotedTokenRow | undefined> {
  const { rows } = await sql<QuotedTokenRow>`
    select p.sol_reserve, p.virtual_sol, p.token_reserve, p.seq, t.hidden_at is not null as is_hidden,
      exists (select from holdings h where h.token_id = p.token_id and h.user_id = ${userId}::int and h.amount > 0) as is_held
    from pools p join tokens t on t.id = p.token_id
    where p.token_id = ${tokenId}`.execute(db)
  return rows[0]
}
