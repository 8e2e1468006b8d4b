import { cashOutValue, Decimal, type Pool, type Sol, type Tokens } from '@papermoon/amm'

/** Sums over a player's trades of one token in a window. */
export interface Flow {
  /** SOL paid, including fees. */
  readonly solIn: Sol
  /** SOL received, after fees. */
  readonly solOut: Sol
  readonly bought: Tokens
  readonly sold: Tokens
}

/** The token's pool before the window's first trade and at the window's end. */
export interface PoolSpan {
  readonly before: Pool
  readonly after: Pool
}

/**
 * Computes the profit in SOL from a player's trades of one token in a window: SOL out − SOL in; plus, for net tokens
 * bought, the smaller of their cash-out value at the end and their average price paid; minus, for net tokens sold, what
 * selling that amount would have brought when the window began. So neither pumping their own tokens nor selling old
 * ones gives players a profit.
 */
export function flowProfit({ solIn, solOut, bought, sold }: Flow, { before, after }: PoolSpan): Sol {
  const gained = solOut.sub(solIn)
  const net = bought.sub(sold)
  if (net.isZero()) return gained
  if (net.isNegative()) return gained.sub(cashOutValue(before, net.neg()))
  // Round down, so that nobody wins by rounding.
  const paid = solIn.mul(net).div(bought).toDecimalPlaces(9, Decimal.ROUND_DOWN)
  return gained.add(Decimal.min(cashOutValue(after, net), paid))
}

/** Returns the SOL from selling the net tokens bought that exceeds what `flowProfit` counts for them. */
export function uncountedStock(flow: Flow, pools: PoolSpan): Sol {
  const net = flow.bought.sub(flow.sold)
  if (net.lte(0)) return new Decimal(0)
  return flow.solOut.sub(flow.solIn).add(cashOutValue(pools.after, net)).sub(flowProfit(flow, pools))
}
