import {
  type RefBuy,
  type RefPosition,
  type RefSale,
  refPositionBuy,
  refPositionSell,
  refPrice,
  refTaken,
} from '@papermoon/amm/testing'
import {
  formatPrice,
  formatSol,
  formatTokens,
  getHolding,
  type PlainMarket,
  type PlainPlayer,
  type PlainToken,
  type PlainTrade,
} from './plain-market.ts'

/** Who trades what. */
interface Deal {
  readonly token: PlainToken
  readonly player: PlainPlayer
}

/** Books a buy of `sol` lamports. */
export function settleBuy(market: PlainMarket, deal: Deal, { sol, quote }: { sol: bigint; quote: RefBuy }): PlainTrade {
  const { token, player } = deal
  player.balance -= sol
  const { position } = refTaken(refPositionBuy(getHolding(market, token.id, player.id), quote.tokensOut, sol))
  return addTrade(market, deal, { side: 'buy', sol, volume: sol, tokens: quote.tokensOut, quote, position })
}

/** Books a sale of `tokens` micros. */
export function settleSell(
  market: PlainMarket,
  deal: Deal,
  { tokens, quote }: { tokens: bigint; quote: RefSale },
): PlainTrade {
  const { token, player } = deal
  const { position, realizedPnl } = refTaken(
    refPositionSell(getHolding(market, token.id, player.id), tokens, quote.solOut),
  )
  player.balance += quote.solOut
  player.realized += realizedPnl
  return addTrade(market, deal, { side: 'sell', sol: quote.solOut, volume: quote.gross, tokens, quote, position })
}

interface Moved {
  readonly side: 'buy' | 'sell'
  readonly sol: bigint
  readonly volume: bigint
  readonly tokens: bigint
  readonly quote: RefBuy | RefSale
  readonly position: RefPosition
}

function addTrade(market: PlainMarket, { token, player }: Deal, moved: Moved): PlainTrade {
  const { side, sol, volume, tokens, quote, position } = moved
  market.holdings.set(`${token.id} ${player.id}`, position)
  token.pool = quote.pool
  token.seq += 1
  const trade: PlainTrade = {
    tokenId: token.id,
    seq: token.seq,
    side,
    solAmount: formatSol(sol),
    fee: formatSol(quote.fee),
    tokenAmount: formatTokens(tokens),
    price: formatPrice(quote.price),
    spotPrice: formatPrice(refPrice(quote.pool.sol, quote.pool.tokens)),
    userId: player.id,
    username: player.username,
    isBot: false,
  }
  token.trades.push({ trade, hour: market.hour, volume })
  return trade
}
