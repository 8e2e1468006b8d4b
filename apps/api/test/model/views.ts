import { type RefPool, refLaunch, refPrice, refSell } from '@papermoon/amm/testing'
import {
  FIRST,
  formatPrice,
  formatSol,
  formatTokens,
  getHolding,
  getPlayer,
  type PlainMarket,
  type PlainToken,
  type PlainTrade,
} from './plain-market.ts'

// The model as the API shows it, as far as answers follow from the rules.

const DAY_HOURS = 24
/** Max trades in a token's list. */
const TRADES_MAX = 50

const realSol = ({ pool }: PlainToken): bigint => pool.sol - pool.virtualSol
const spotPrice = ({ sol, tokens }: RefPool): bigint => refPrice(sol, tokens)

/** What selling `t` micros now would pay; 0 if less than a lamport. */
function cashOut(pool: RefPool, t: bigint): bigint {
  const sale = refSell(pool, t)
  return 'error' in sale ? 0n : sale.solOut
}

export function tokenView(market: PlainMarket, token: PlainToken) {
  const { id, name, symbol, pool, seq, trades, isRugged } = token
  const day = trades.filter(({ hour }) => hour > market.hour - DAY_HOURS)
  return {
    id,
    name,
    symbol,
    seq,
    isRugged,
    supply: formatTokens(refLaunch().tokens),
    currentPrice: formatPrice(spotPrice(pool)),
    marketCap: formatPrice(spotPrice(pool) * 1_000_000_000n),
    volume24h: formatSol(day.reduce((sum, { volume }) => sum + volume, 0n)),
    creator: { id: token.creator, username: getPlayer(market, token.creator).username, isBot: false },
    creatorHolding: formatTokens(getHolding(market, id, token.creator).amount),
    pool: poolView(token),
    totalTrades: trades.length,
  }
}

function poolView(token: PlainToken) {
  const { sol, tokens } = token.pool
  return { solReserve: formatSol(sol), tokenReserve: formatTokens(tokens), realSol: formatSol(realSol(token)) }
}

/** Newest first. */
export function tradesView({ trades }: PlainToken): PlainTrade[] {
  return trades
    .map(({ trade }) => trade)
    .reverse()
    .slice(0, TRADES_MAX)
}

/** Largest first; equal holdings by player id. */
export function holdersView(market: PlainMarket, { id }: PlainToken) {
  return market.players
    .map((player) => ({ player, amount: getHolding(market, id, player.id).amount }))
    .filter(({ amount }) => amount > 0n)
    .sort((a, b) => descending(a.amount, b.amount) || a.player.id - b.player.id)
    .map(({ player, amount }, place) => ({
      userId: player.id,
      username: player.username,
      isBot: false,
      rank: place + 1,
      amount: formatTokens(amount),
    }))
}

export function positionView(market: PlainMarket, tokenId: number, userId: number) {
  const { amount, cost } = getHolding(market, tokenId, userId)
  return {
    tokenId,
    balance: formatSol(getPlayer(market, userId).balance),
    amount: formatTokens(amount),
    cost: formatSol(cost),
  }
}

/** A player's holdings with their values in lamports, most valuable first. */
function holdings(market: PlainMarket, userId: number) {
  return market.tokens
    .map((token) => ({ token, ...getHolding(market, token.id, userId) }))
    .filter(({ amount }) => amount > 0n)
    .map((held) => ({
      ...held,
      // Cut: micros × 10⁻¹⁸ SOL = 10⁻²⁴ SOL.
      value: (held.amount * spotPrice(held.token.pool)) / 10n ** 15n,
      cashOut: cashOut(held.token.pool, held.amount),
    }))
    .sort((a, b) => descending(a.value, b.value) || a.token.id - b.token.id)
}

export function portfolioView(market: PlainMarket, userId: number) {
  return holdings(market, userId).map(({ token, amount, cost, value, cashOut }) => ({
    tokenId: token.id,
    tokenName: token.name,
    tokenSymbol: token.symbol,
    amount: formatTokens(amount),
    currentPrice: formatPrice(spotPrice(token.pool)),
    pool: poolView(token),
    totalValue: formatSol(value),
    cashOutValue: formatSol(cashOut),
    cost: formatSol(cost),
    profitLoss: formatSol(cashOut - cost),
    isRugged: token.isRugged,
  }))
}

export function pnlView(market: PlainMarket, userId: number) {
  const { realized } = getPlayer(market, userId)
  const unrealized = holdings(market, userId).reduce((sum, { cashOut, cost }) => sum + cashOut - cost, 0n)
  return { total: formatSol(realized + unrealized), realized: formatSol(realized), unrealized: formatSol(unrealized) }
}

/**
 * A player's net worth in lamports: balance, real SOL of their own open pools, and the cash-out value of all other holdings.
 */
export function computeNetWorth(market: PlainMarket, userId: number) {
  const { balance } = getPlayer(market, userId)
  const cashOutValue = holdings(market, userId)
    .filter(({ token }) => token.creator !== userId)
    .reduce((sum, held) => sum + held.cashOut, 0n)
  const ownPools = market.tokens
    .filter(({ creator, isRugged }) => creator === userId && !isRugged)
    .reduce((sum, token) => sum + realSol(token), 0n)
  return { balance, cashOutValue, ownPools, netWorth: balance + cashOutValue + ownPools }
}

/** Change of net worth over 24 hours, or since registration, without grants. */
export function dayProfitView(market: PlainMarket, userId: number): string {
  const { granted, past } = getPlayer(market, userId)
  const start = past.findLast(({ hour }) => hour <= market.hour - DAY_HOURS) ?? { netWorth: FIRST, granted: FIRST }
  return formatSol(computeNetWorth(market, userId).netWorth - start.netWorth - (granted - start.granted))
}

function descending(one: bigint, other: bigint): number {
  if (one === other) return 0
  return one > other ? -1 : 1
}
