import {
  averagePrice,
  formatPrice,
  formatSol,
  formatTokens,
  getHolding,
  type PlainMarket,
  type PlainPlayer,
  type PlainQuote,
  type PlainToken,
  type PlainTrade,
  spotPrice,
} from './plain-market.ts'

/** Books a buy of `sol` lamports. */
export function settleBuy(market: PlainMarket, token: PlainToken, player: PlainPlayer, quote: PlainQuote): PlainTrade {
  const holding = getHolding(market, token.id, player.id)
  player.balance -= quote.volume
  holding.amount += quote.out
  holding.cost += quote.volume
  return addTrade(market, token, player, { side: 'buy', sol: quote.volume, tokens: quote.out, quote })
}

/** Books a sale of `tokens` micros: it removes ⌊cost · t / h⌋ of the cost, all of it with the last token. */
export function settleSell(
  market: PlainMarket,
  token: PlainToken,
  player: PlainPlayer,
  { quote, tokens }: { quote: PlainQuote; tokens: bigint },
): PlainTrade {
  const holding = getHolding(market, token.id, player.id)
  const removed = (holding.cost * tokens) / holding.amount
  player.balance += quote.out
  player.realized += quote.out - removed
  holding.amount -= tokens
  holding.cost -= removed
  return addTrade(market, token, player, { side: 'sell', sol: quote.out, tokens, quote })
}

interface Moved {
  readonly side: 'buy' | 'sell'
  readonly sol: bigint
  readonly tokens: bigint
  readonly quote: PlainQuote
}

function addTrade(market: PlainMarket, token: PlainToken, player: PlainPlayer, moved: Moved): PlainTrade {
  const { side, sol, tokens, quote } = moved
  token.pool = quote.pool
  token.seq += 1
  const trade: PlainTrade = {
    tokenId: token.id,
    seq: token.seq,
    side,
    solAmount: formatSol(sol),
    fee: formatSol(quote.fee),
    tokenAmount: formatTokens(tokens),
    price: formatPrice(averagePrice(sol, tokens)),
    spotPrice: formatPrice(spotPrice(quote.pool)),
    userId: player.id,
    username: player.username,
    isBot: false,
  }
  token.trades.push({ trade, hour: market.hour, volume: quote.volume })
  return trade
}
