import fc from 'fast-check'
import {
  Decimal,
  LAUNCH_FEE,
  launchPool,
  type Pool,
  type Position,
  positionAfterBuy,
  positionAfterSell,
  quoteBuy,
  quoteSell,
  rugPool,
  type Sol,
  STARTING_BALANCE,
  type Stake,
} from '../src/index.ts'
import { attempt } from './arbitraries.ts'

// A market in memory with several players and tokens, which uses the package's own quotes.

const ZERO = new Decimal(0)
const NO_BAG: Position = { amount: ZERO, cost: ZERO }
const RESET_BELOW = new Decimal(10)
export const PLAYERS = 3
/** The player who continues alone after the others have stopped. */
export const ALONE = 0

type Player = { readonly balance: Sol; readonly granted: Sol; readonly realized: Sol }
type Token = { readonly creator: number; readonly pool: Pool; readonly bags: readonly Position[] }
export type Market = {
  readonly players: readonly Player[]
  readonly tokens: readonly Token[]
  /** All fees so far. */
  readonly treasury: Sol
}

/**
 * `token` is an index that wraps around. `part` is in thousandths of what the player has; above 1,000, the rest is a number
 * of lamports or micro-tokens.
 */
export type Action =
  | { readonly kind: 'launch'; readonly player: number; readonly part: number }
  | { readonly kind: 'buy' | 'sell'; readonly player: number; readonly token: number; readonly part: number }
  | { readonly kind: 'rug'; readonly player: number; readonly token: number }
  | { readonly kind: 'reset'; readonly player: number }

export function newMarket(): Market {
  const player = { balance: STARTING_BALANCE, granted: STARTING_BALANCE, realized: ZERO }
  return { players: Array.from({ length: PLAYERS }, () => player), tokens: [], treasury: ZERO }
}

const part = fc.oneof(
  { weight: 3, arbitrary: fc.integer({ min: 1, max: 1_000 }) },
  { weight: 3, arbitrary: fc.constantFrom(400, 950, 1_000) },
  { weight: 1, arbitrary: fc.integer({ min: 1_001, max: 3_000 }) },
)
const token = fc.nat(9)

/** Generates any action of a player. */
export function anyAction(player: fc.Arbitrary<number>): fc.Arbitrary<Action> {
  const trade = fc.record({ kind: fc.constantFrom('buy' as const, 'sell' as const), player, token, part })
  return fc.oneof(
    { weight: 2, arbitrary: fc.record({ kind: fc.constant('launch' as const), player, part }) },
    { weight: 8, arbitrary: trade },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('rug' as const), player, token }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('reset' as const), player }) },
  )
}

/** Generates a market that the other players have left. In some, the lone player has lost nearly all SOL there. */
export const abandonedMarket = fc
  .tuple(fc.array(anyAction(fc.integer({ min: 1, max: PLAYERS - 1 })), { maxLength: 12 }), fc.boolean())
  .map(([actions, isRuined]) => {
    const market = actions.reduce(act, newMarket())
    return isRuined ? ruined(market) : market
  })

/** Lets the lone player spend nearly everything on a token that is then rugged. */
function ruined(market: Market): Market {
  const [launched] = [act(market, { kind: 'launch', player: 1, part: 1 })]
  const place = launched.tokens.length - 1
  const bought = act(launched, { kind: 'buy', player: ALONE, token: place, part: 950 })
  return act(bought, { kind: 'rug', player: 1, token: place })
}

/** Returns the market after an action, or the same object if a rule rejects the action. */
export function act(market: Market, action: Action): Market {
  return attempt(() => done(market, action)) ?? market
}

function done(market: Market, action: Action): Market {
  if (action.kind === 'launch') return launched(market, action.player, action.part)
  if (action.kind === 'reset') return reset(market, action.player)
  if (market.tokens.length === 0) return market
  const place = action.token % market.tokens.length
  if (action.kind === 'rug') return tokenAt(market, place).creator === action.player ? rugged(market, place) : market
  const { player, kind } = action
  if (kind === 'buy')
    return bought(market, { player, place, sol: share(playerAt(market, player).balance, action.part, 9) })
  return sold(market, { player, place, tokens: share(findBag(market, place, player).amount, action.part, 6) })
}

function launched(market: Market, player: number, thousandths: number): Market {
  const { balance, realized } = playerAt(market, player)
  if (balance.lt(LAUNCH_FEE)) return market
  const paid = withPlayer(market, player, { balance: balance.sub(LAUNCH_FEE), realized: realized.sub(LAUNCH_FEE) })
  const bags = Array.from({ length: PLAYERS }, () => NO_BAG)
  const tokens = [...paid.tokens, { creator: player, pool: launchPool(), bags }]
  const opened = { ...paid, tokens, treasury: paid.treasury.add(LAUNCH_FEE) }
  const sol = share(balance.sub(LAUNCH_FEE), thousandths, 9)
  const place = opened.tokens.length - 1
  return attempt(() => bought(opened, { player, place, sol })) ?? opened
}

function bought(market: Market, { player, place, sol }: { player: number; place: number; sol: Sol }): Market {
  const { balance } = playerAt(market, player)
  const quote = quoteBuy(tokenAt(market, place).pool, sol)
  const bag = positionAfterBuy(findBag(market, place, player), quote.tokensOut, sol)
  const paid = withPlayer(market, player, { balance: balance.sub(sol) })
  return withTrade(paid, { player, place, quote, bag })
}

function sold(market: Market, { player, place, tokens }: { player: number; place: number; tokens: Decimal }): Market {
  const { balance, realized } = playerAt(market, player)
  const quote = quoteSell(tokenAt(market, place).pool, tokens)
  const sale = positionAfterSell(findBag(market, place, player), tokens, quote.solOut)
  const gained = { balance: balance.add(quote.solOut), realized: realized.add(sale.realizedPnl) }
  return withTrade(withPlayer(market, player, gained), { player, place, quote, bag: sale.position })
}

function rugged(market: Market, place: number): Market {
  const { creator, pool: before } = tokenAt(market, place)
  const { balance, realized } = playerAt(market, creator)
  const { drained, pool } = rugPool(before)
  const gained = { balance: balance.add(drained), realized: realized.add(drained) }
  return withToken(withPlayer(market, creator, gained), place, { pool })
}

/** Resets an account by what the player could really take out, without the formula under test. */
function reset(market: Market, player: number): Market {
  const { balance, granted } = playerAt(market, player)
  const worth = playerAt(takenOut(market, player), player).balance
  if (worth.gte(RESET_BELOW)) return market
  const more = STARTING_BALANCE.sub(worth)
  return withPlayer(market, player, { balance: balance.add(more), granted: granted.add(more) })
}

/** Returns the market after a player has sold all tokens and rugged all own pools, whichever pays more. */
export function takenOut(market: Market, player: number): Market {
  return market.tokens.reduce((rest, { creator }, place) => {
    const way: Action =
      creator === player ? { kind: 'rug', player, token: place } : { kind: 'sell', player, token: place, part: 1_000 }
    return act(rest, way)
  }, market)
}

export function findStakes(market: Market, player: number): Stake[] {
  return market.tokens.map(({ pool, creator }, place) => {
    return { pool, amount: findBag(market, place, player).amount, isOwn: creator === player }
  })
}

function withPlayer(market: Market, place: number, change: Partial<Player>): Market {
  return { ...market, players: market.players.with(place, { ...playerAt(market, place), ...change }) }
}

function withToken(market: Market, place: number, change: Partial<Token>): Market {
  return { ...market, tokens: market.tokens.with(place, { ...tokenAt(market, place), ...change }) }
}

function withTrade(
  market: Market,
  { player, place, quote, bag }: { player: number; place: number; quote: { pool: Pool; fee: Sol }; bag: Position },
): Market {
  const traded = withToken(market, place, { pool: quote.pool, bags: tokenAt(market, place).bags.with(player, bag) })
  return { ...traded, treasury: market.treasury.add(quote.fee) }
}

export function playerAt({ players }: Market, place: number): Player {
  const player = players[place]
  if (player === undefined) throw new Error('no such player')
  return player
}

function tokenAt({ tokens }: Market, place: number): Token {
  const found = tokens[place]
  if (found === undefined) throw new Error('no such token')
  return found
}

export function findBag(market: Market, place: number, player: number): Position {
  return tokenAt(market, place).bags[player] ?? NO_BAG
}

function share(amount: Decimal, thousandths: number, decimals: number): Decimal {
  if (thousandths > 1_000) return Decimal.min(amount, new Decimal(thousandths - 1_000).mul(`1e-${decimals}`))
  return amount.mul(thousandths).div(1_000).toDecimalPlaces(decimals, Decimal.ROUND_DOWN)
}
