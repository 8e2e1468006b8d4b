import { Decimal } from '@papermoon/amm'
import type { MarketEvent, RugPullEvent, SealEvent, TradeEvent } from '@papermoon/contract/market-events'
import type { Token } from '@papermoon/contract/tokens'
import { changePercent } from './change-percent.ts'
import { compareSeq, type PatchResult } from './patch-result.ts'

/**
 * Returns a token after an event. Until the next fetch, the volume still includes trades that became older than 24
 * hours.
 */
export function patchToken(token: Token, event: MarketEvent): PatchResult<Token> {
  if (event.type === 'token_launched' || event.tokenId !== token.id) return { data: token, stale: false }
  if (event.type === 'seal') return { data: tokenAfterSeal(token, event), stale: false }
  const order = compareSeq(token.seq, event.seq)
  if (order === 'known') return { data: token, stale: false }
  const data = event.type === 'trade' ? tokenAfterTrade(token, event) : tokenAfterRug(token, event)
  return { data, stale: order === 'gap' }
}

function tokenAfterTrade(token: Token, event: TradeEvent): Token {
  const isCreators = event.trade.userId === token.creator.id
  return {
    ...token,
    currentPrice: event.currentPrice,
    marketCap: event.marketCap,
    pool: event.pool,
    priceChange24h: changePercent(token.price24hAgo, event.currentPrice),
    volume24h: new Decimal(token.volume24h).add(event.volume).toFixed(),
    totalTrades: token.totalTrades + 1,
    creatorHolding: isCreators ? event.holding : token.creatorHolding,
    seq: event.seq,
    lastEventAt: event.trade.createdAt,
  }
}

function tokenAfterRug(token: Token, event: RugPullEvent): Token {
  return {
    ...token,
    currentPrice: '0',
    marketCap: '0',
    pool: { ...token.pool, solReserve: '0', realSol: '0' },
    priceChange24h: changePercent(token.price24hAgo, '0'),
    ruggedAt: event.createdAt,
    seq: event.seq,
    lastEventAt: event.createdAt,
  }
}

/**
 * Seals can arrive in any order, and a creator can only extend a seal. The current seal is therefore the one that ends
 * last. If two end together, the one with more tokens is current. Older servers do not send seals.
 */
function tokenAfterSeal(token: Token, { seal }: SealEvent): Token {
  const known: Token['seal'] | undefined = token.seal
  if (known == null) return { ...token, seal }
  const longer = toMs(seal.liquidityUntil) - toMs(known.liquidityUntil) || toMs(seal.bagUntil) - toMs(known.bagUntil)
  const isMore = longer === 0 ? new Decimal(seal.bagTokens).gt(known.bagTokens) : longer > 0
  return isMore ? { ...token, seal } : token
}

function toMs(until: string | null): number {
  return until === null ? 0 : Date.parse(until)
}
