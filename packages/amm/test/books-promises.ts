import fc from 'fast-check'
import { Decimal, type Gain, type Pool, type Position, type Sol, type Stake, type WorthSpan } from '../src/index.ts'
import {
  type Action,
  ALONE,
  abandonedMarket,
  act,
  anyAction,
  findBag,
  findStakes,
  type Market,
  newMarket,
  PLAYERS,
  playerAt,
  takenOut,
} from './books-market.ts'

/** The formulas under test; a mutation swaps one of them. */
export type Formulas = {
  netWorth(balance: Sol, stakes: readonly Stake[]): Sol
  unrealizedProfit(pool: Pool, position: Position): Sol
  gainBetween(span: WorthSpan): Gain
}

const ZERO = new Decimal(0)

/** The first promise broken when a player goes on alone from a market; null if all hold. */
function brokenAlone(formulas: Formulas, begin: Market, actions: readonly Action[]): string | null {
  const moments = [begin]
  for (const action of actions) {
    const market = act(moments.at(-1) ?? begin, action)
    const broken =
      brokenNow(formulas, market) ?? moments.map((start) => brokenSince(formulas, start, market)).find(Boolean)
    if (broken) return broken
    moments.push(market)
  }
  return null
}

function brokenNow({ unrealizedProfit, netWorth }: Formulas, market: Market): string | null {
  const { balance, granted, realized } = playerAt(market, ALONE)
  const profits = market.tokens.map(({ pool }, place) => unrealizedProfit(pool, findBag(market, place, ALONE)))
  if (profits.some((profit) => profit.gt(0))) return 'an unrealized profit'
  const total = profits.reduce((sum, profit) => sum.add(profit), realized)
  if (total.gt(0)) return 'a total profit'
  return netWorth(balance, findStakes(market, ALONE)).gt(granted) ? 'a net worth above what was granted' : null
}

function brokenSince({ netWorth, gainBetween }: Formulas, before: Market, after: Market): string | null {
  const computeWorth = (market: Market) => netWorth(playerAt(market, ALONE).balance, findStakes(market, ALONE))
  const granted = playerAt(after, ALONE).granted.sub(playerAt(before, ALONE).granted)
  const now = computeWorth(after)
  const { profit, base } = gainBetween({ start: computeWorth(before), now, granted })
  if (profit.gt(0)) return 'a profit of a day'
  // A loss can never exceed its base.
  return profit.add(base).eq(now) ? null : 'a percentage of something else'
}

/** The first promise broken when all players cash out one after another; null if all hold. */
function brokenTogether(formulas: Formulas, market: Market, order: readonly number[]): string | null {
  let rest = market
  let sum = ZERO
  for (const player of order) {
    const promised = formulas.netWorth(playerAt(rest, player).balance, findStakes(rest, player))
    if (anyWay(rest, player).some((paid) => paid.gt(promised))) return 'more was paid than the net worth'
    rest = takenOut(rest, player)
    if (!playerAt(rest, player).balance.eq(promised)) return 'the net worth was not what was paid'
    sum = sum.add(promised)
  }
  const granted = market.players.reduce((all, player) => all.add(player.granted), ZERO)
  return sum.gt(granted) ? 'more than was granted' : null
}

/** A player's balance after other ways to cash out: selling a part of each holding before rugging. */
function anyWay(market: Market, player: number): Sol[] {
  return [1_000, 700, 1].map((thousandths) => {
    const sales = market.tokens.map((_, place): Action => ({ kind: 'sell', player, token: place, part: thousandths }))
    return playerAt(takenOut(sales.reduce(act, market), player), player).balance
  })
}

/** Whether the unrealized profit of every holding equals what selling it realizes. */
function brokenSales({ unrealizedProfit }: Formulas, market: Market): string | null {
  for (const [place, { pool, bags }] of market.tokens.entries()) {
    for (const [player, bag] of bags.entries()) {
      const after = act(market, { kind: 'sell', player, token: place, part: 1_000 })
      if (after === market) continue
      const realized = playerAt(after, player).realized.sub(playerAt(market, player).realized)
      if (!unrealizedProfit(pool, bag).eq(realized)) return 'the unrealized profit was not what the sale realized'
    }
  }
  return null
}

type Options = { readonly numRuns: number; readonly seed?: number }

/** Throws if a player alone can make a profit. */
export function assertAlone(formulas: Formulas, options: Options): void {
  const actions = fc.array(anyAction(fc.constant(ALONE)), { minLength: 1, maxLength: 24, size: 'max' })
  const holds = (begin: Market, done: Action[]) => hold(brokenAlone(formulas, begin, done))
  fc.assert(fc.property(abandonedMarket, actions, holds), options)
}

/** Throws if all players together can take out more than was granted, or anything but their net worths. */
export function assertTogether(formulas: Formulas, options: Options): void {
  const actions = fc.array(anyAction(fc.nat(PLAYERS - 1)), { minLength: 1, maxLength: 30, size: 'max' })
  const order = fc.shuffledSubarray([0, 1, 2], { minLength: PLAYERS })
  const holds = (done: Action[], players: number[]) => {
    const market = done.reduce(act, newMarket())
    hold(brokenTogether(formulas, market, players) ?? brokenSales(formulas, market))
  }
  fc.assert(fc.property(actions, order, holds), options)
}

function hold(broken: string | null): void {
  if (broken !== null) throw new Error(broken)
}
