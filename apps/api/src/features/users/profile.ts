import { priceText, solText, tokensText } from '@papermoon/amm'
import type { App } from '../../context.ts'
import { findCreatedTokens } from '../../created-tokens.ts'
import { figureText } from '../../figure-text.ts'
import { findHoldings } from '../../holdings.ts'
import type { UserId } from '../../ids.ts'
import { UserNotFoundError } from './errors.ts'
import type { Profile } from './schemas.ts'
import { findPublicUser } from './store.ts'

/** A player with what they hold and launched, as everybody sees it. Throws `UserNotFoundError`. */
export async function profileOf({ db }: App, id: UserId): Promise<Profile> {
  const [user, holdings, created] = await Promise.all([
    findPublicUser(db, id),
    findHoldings(db, id, 'public'),
    findCreatedTokens(db, id),
  ])
  if (user === undefined) throw new UserNotFoundError()
  return {
    user: {
      id,
      username: user.username,
      profilePictureUrl: user.profile_picture_url,
      solBalance: figureText(user.sol_balance),
      createdAt: user.created_at.toISOString(),
    },
    holdings: holdings.map(({ tokenId, name, symbol, emoji, amount, value, cashOut }) => ({
      tokenId,
      tokenName: name,
      tokenSymbol: symbol,
      emoji,
      amount: tokensText(amount),
      totalValue: solText(value),
      cashOutValue: solText(cashOut),
    })),
    createdTokens: created.map(({ createdAt, price, liquidity, ruggedAt, ...token }) => ({
      ...token,
      createdAt: createdAt.toISOString(),
      currentPrice: priceText(price),
      liquidity: solText(liquidity),
      ruggedAt: ruggedAt?.toISOString() ?? null,
    })),
  }
}
