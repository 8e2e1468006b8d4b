import { Decimal } from '@papermoon/amm'
import type { Quote, QuoteInput } from '@papermoon/contract/trading'
import type { TokenId, UserId } from '@papermoon/engine'
import { quoteLaunch, quoteTrade, TokenNotFoundError } from '@papermoon/engine'
import type { AppPart } from '../../../context.ts'
import { findQuotedToken } from './store.ts'

type Parts = AppPart<'db'>

/**
 * What an order would do now, by the engine's rules, for a player who can afford it. Throws the engine's `DomainError`s:
 * closed, too small, too large, and `TokenNotFoundError`, also for a hidden token unless its holder sells it.
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
  const pool = {
    sol: new Decimal(row.sol_reserve),
    virtualSol: new Decimal(row.virtual_sol),
    tokens: new Decimal(row.token_reserve),
  }
  return { tokenId, pool, seq: row.seq }
}
