import { AmmError, Decimal, type Pool, type Price, quoteBuy, quoteSell, type Sol, type Tokens } from '@papermoon/amm'
import type { TradeRow } from '../store.ts'

export interface TradeFigures {
  readonly solAmount: Sol
  readonly fee: Sol
  readonly tokenAmount: Tokens
  /** Average price in SOL per token. */
  readonly price: Price
  readonly spotPrice: Price
  /** The pool after the trade. */
  readonly pool: Pool
}

/** Returns a trade's recorded values. The journal does not contain virtual SOL. */
export function recordedFigures(row: TradeRow, virtualSol: Sol): TradeFigures {
  return {
    solAmount: new Decimal(row.sol_amount),
    fee: new Decimal(row.fee),
    tokenAmount: new Decimal(row.token_amount),
    price: new Decimal(row.price),
    spotPrice: new Decimal(row.spot_price),
    pool: { sol: new Decimal(row.sol_reserve), virtualSol, tokens: new Decimal(row.token_reserve) },
  }
}

/**
 * Returns the values that the market maker computes from a trade's input: the SOL of a buy, or the tokens of a sale.
 * Returns an `AmmError` if the market maker rejects the trade.
 */
export function computedFigures(pool: Pool, side: TradeRow['side'], recorded: TradeFigures): TradeFigures | AmmError {
  try {
    if (side === 'buy') {
      const { solIn, fee, tokensOut, price, spotAfter, pool: after } = quoteBuy(pool, recorded.solAmount)
      return { solAmount: solIn, fee, tokenAmount: tokensOut, price, spotPrice: spotAfter, pool: after }
    }
    const { solOut, fee, tokensIn, price, spotAfter, pool: after } = quoteSell(pool, recorded.tokenAmount)
    return { solAmount: solOut, fee, tokenAmount: tokensIn, price, spotPrice: spotAfter, pool: after }
  } catch (error) {
    if (error instanceof AmmError) return error
    throw error
  }
}

export function compareFigures(recorded: TradeFigures, computed: TradeFigures) {
  return [
    { figure: 'SOL amount', stored: recorded.solAmount, expected: computed.solAmount },
    { figure: 'fee', stored: recorded.fee, expected: computed.fee },
    { figure: 'token amount', stored: recorded.tokenAmount, expected: computed.tokenAmount },
    { figure: 'average price', stored: recorded.price, expected: computed.price },
    { figure: 'spot price', stored: recorded.spotPrice, expected: computed.spotPrice },
    { figure: 'SOL reserve', stored: recorded.pool.sol, expected: computed.pool.sol },
    { figure: 'token reserve', stored: recorded.pool.tokens, expected: computed.pool.tokens },
  ]
}

export function agree(recorded: TradeFigures, computed: TradeFigures): boolean {
  return compareFigures(recorded, computed).every(({ stored, expected }) => stored.eq(expected))
}
