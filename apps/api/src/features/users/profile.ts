import { priceText, solText } from '@papermoon/amm'
import { type Profile, profile } from '@papermoon/contract/users'
import { formatNumeric } from '@papermoon/db'
import type { MarketEvent, UserId } from '@papermoon/engine'
import type { CachedQuery } from '../../cache/query-cache.ts'
import type { App } from '../../context.ts'
import { findCreatedTokens, findHoldings, toShownHolding } from '../portfolio/public.ts'
import { findPublicUser, UserNotFoundError } from './store.ts'

/** How long a change on another node, such as a new picture or an account reset, may stay invisible, in ms. */
const PICTURE_MS = 1_000

/** The cached query for the public page of a player. */
export const profileQuery: CachedQuery<UserId, Profile> = {
  name: 'profile',
  schema: profile,
  key: String,
  weight: () => 10,
  isFresh: (atMs, nowMs) => Math.abs(nowMs - atMs) < PICTURE_MS,
  scope: () => 'market',
  applyEvents: (known, events, id) => ({ data: known, stale: events.some((event) => concerns(known, id, event)) }),
}

/** Returns whether an event may change a player's balance, holdings, their values, or launched tokens. */
function concerns({ holdings, createdTokens }: Profile, id: UserId, event: MarketEvent): boolean {
  return (
    getActor(event) === id ||
    holdings.some((holding) => holding.tokenId === event.tokenId) ||
    createdTokens.some((created) => created.id === event.tokenId)
  )
}

function getActor(event: MarketEvent): UserId {
  if (event.type === 'trade') return event.trade.userId
  return event.type === 'token_launched' ? event.creator.id : event.userId
}

/** Returns a player's public profile with holdings and created tokens. Throws `UserNotFoundError`. */
export async function getProfile(app: App, id: UserId): Promise<Profile> {
  return await app.market.queryCache.get(profileQuery, id, () => readProfile(app, id))
}

async function readProfile({ platform: { db } }: App, id: UserId): Promise<Profile> {
  const [user, holdings, created] = await Promise.all([
    findPublicUser(db, id),
    findHoldings(db, id, 'public'),
    findCreatedTokens(db, id),
  ])
  if (user === undefined) throw new UserNotFoundError()
  return {
    user: {
      id,
      ...user,
      solBalance: formatNumeric(user.solBalance),
      createdAt: user.createdAt.toISOString(),
    },
    holdings: holdings.map((holding) => ({ ...toShownHolding(holding), totalValue: solText(holding.value) })),
    createdTokens: created.map(({ createdAt, price, liquidity, ruggedAt, sealedUntil, ...token }) => ({
      ...token,
      createdAt: createdAt.toISOString(),
      currentPrice: priceText(price),
      liquidity: solText(liquidity),
      ruggedAt: ruggedAt?.toISOString() ?? null,
      sealedUntil: sealedUntil?.toISOString() ?? null,
    })),
  }
}
