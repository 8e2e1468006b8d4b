import { refBuy, refRug, refSell, refTaken } from '@papermoon/amm/testing'
import {
  addToken,
  formatSol,
  formatTokens,
  getHolding,
  getPlayer,
  type OrderOf,
  type PlainAnswer,
  type PlainMarket,
  type PlainOrder,
  type PlainToken,
  SOL,
  toFingerprint,
} from './plain-market.ts'
import * as refusals from './refusals.ts'
import { settleBuy, settleSell } from './settle.ts'
import { computeNetWorth, positionView, tokenView } from './views.ts'

const LAUNCH_FEE = SOL / 50n
const RESET_BELOW = 10n * SOL
const RESET_TO = 100n * SOL
const DAY_HOURS = 24

/** Executes an order in the model and returns the expected answer; `newTokenId` is the server's id for a launched token. */
export function place(market: PlainMarket, order: PlainOrder, newTokenId: number): PlainAnswer {
  if (order.kind === 'reset') return reset(market, order)
  if ((order.kind === 'buy' && order.sol === 0n) || (order.kind === 'sell' && order.tokens === 0n)) {
    return refusals.notPositive
  }
  const tokenId = order.kind === 'launch' ? newTokenId : order.tokenId
  const key = `${order.userId} ${order.key}`
  const prior = order.key === null ? undefined : market.answered.get(key)
  if (prior !== undefined) {
    if (toFingerprint(prior.order) !== toFingerprint(order)) return refusals.keyReused
    return { ok: true, body: { ...prior.first, ...currentState(market, order, prior.tokenId) } }
  }
  const done = placeNew(market, order, newTokenId)
  if (!done.ok) return done
  if (order.key !== null) market.answered.set(key, { order, tokenId, first: done.body, stamps: null })
  return { ok: true, body: { ...done.body, ...currentState(market, order, tokenId) } }
}

function placeNew(market: PlainMarket, order: Exclude<PlainOrder, OrderOf<'reset'>>, newTokenId: number): PlainAnswer {
  if (order.kind === 'launch') return launch(market, order, newTokenId)
  const token = market.tokens.find(({ id }) => id === order.tokenId)
  if (token === undefined) return refusals.unknownToken
  if (order.kind === 'buy') return buy(market, order, token)
  return order.kind === 'sell' ? sell(market, order, token) : rug(market, order, token)
}

/** The part of an answer that shows the current state, even for a repeat. */
function currentState(market: PlainMarket, order: PlainOrder, tokenId: number): Record<string, unknown> {
  if (order.kind === 'rug') return { balance: formatSol(getPlayer(market, order.userId).balance) }
  if (order.kind !== 'launch') return { position: positionView(market, tokenId, order.userId) }
  return { token: market.tokens.filter(({ id }) => id === tokenId).map((token) => tokenView(market, token))[0] }
}

/** Atomic: a refused first buy refuses the launch. */
function launch(market: PlainMarket, order: OrderOf<'launch'>, id: number): PlainAnswer {
  const { name, symbol, sol } = order
  const player = getPlayer(market, order.userId)
  if (player.balance < LAUNCH_FEE + sol) return refusals.noBalance(player.balance, LAUNCH_FEE + sol)
  if (sol === 1n) return refusals.nothingPaid
  const token = addToken(market, { id, name, symbol, creator: player.id })
  player.balance -= LAUNCH_FEE
  player.realized -= LAUNCH_FEE
  if (sol > 0n) settleBuy(market, { token, player }, { sol, quote: refTaken(refBuy(token.pool, sol)) })
  return { ok: true, body: { id } }
}

function buy(market: PlainMarket, { userId, sol, minimum }: OrderOf<'buy'>, token: PlainToken): PlainAnswer {
  const player = getPlayer(market, userId)
  if (token.isRugged) return refusals.closed
  const quote = refBuy(token.pool, sol)
  if ('error' in quote) return refusals.nothingPaid
  if (player.balance < sol) return refusals.noBalance(player.balance, sol)
  if (minimum !== null && quote.tokensOut < minimum)
    return refusals.slippage(`${formatTokens(quote.tokensOut)} tokens`, formatTokens(minimum))
  const trade = settleBuy(market, { token, player }, { sol, quote })
  return { ok: true, body: { tokensOut: trade.tokenAmount, newPrice: trade.spotPrice, trade } }
}

function sell(market: PlainMarket, { userId, tokens, minimum }: OrderOf<'sell'>, token: PlainToken): PlainAnswer {
  const { amount } = getHolding(market, token.id, userId)
  if (tokens > amount) return refusals.noTokens(amount)
  if (token.isRugged) return refusals.closed
  const quote = refSell(token.pool, tokens)
  if ('error' in quote) return refusals.nothingPaid
  if (minimum !== null && quote.solOut < minimum)
    return refusals.slippage(`${formatSol(quote.solOut)} SOL`, `${formatSol(minimum)} SOL`)
  const trade = settleSell(market, { token, player: getPlayer(market, userId) }, { quote, tokens })
  return { ok: true, body: { solOut: trade.solAmount, newPrice: trade.spotPrice, trade } }
}

function rug(market: PlainMarket, { userId }: OrderOf<'rug'>, token: PlainToken): PlainAnswer {
  if (token.creator !== userId) return refusals.notTheCreator
  if (token.isRugged) return refusals.closed
  const player = getPlayer(market, userId)
  const { drained, pool } = refTaken(refRug(token.pool))
  player.balance += drained
  player.realized += drained
  token.pool = pool
  token.seq += 1
  token.isRugged = true
  return { ok: true, body: { ruggedAmount: formatSol(drained) } }
}

function reset(market: PlainMarket, { userId }: OrderOf<'reset'>): PlainAnswer {
  const player = getPlayer(market, userId)
  const wait = player.resetAt === null ? 0 : player.resetAt + DAY_HOURS - market.hour
  if (wait > 0) return refusals.resetTooSoon(wait)
  const { netWorth } = computeNetWorth(market, userId)
  if (netWorth >= RESET_BELOW) return refusals.tooRich(netWorth)
  player.balance += RESET_TO - netWorth
  player.granted += RESET_TO - netWorth
  player.resetAt = market.hour
  return {
    ok: true,
    body: {
      granted: formatSol(RESET_TO - netWorth),
      balance: formatSol(player.balance),
      netWorth: formatSol(RESET_TO),
    },
  }
}
