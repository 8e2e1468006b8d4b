import { AmmError, cashOutValue, Decimal, type Pool, percentText } from '@papermoon/amm'
import { formatSol, formatTokens, formatUsdHint } from '@papermoon/format'
import { Change } from '../../../components/figures/change.tsx'
import type { Position, Token } from '../../../lib/api/api.ts'
import { toPool } from '../../../lib/market/pool-from-state.ts'
import classes from './your-bag.module.css'

const SOL_SHOWN = 6

/** The player's holding of the token: amount, cost, and proceeds of selling all of it now. */
export function YourBag({ token, position }: { token: Token; position: Position | undefined }) {
  if (position === undefined || position.amount === '0') return null
  const cashOut = computeCashOut(toPool(token), position.amount)
  return (
    <dl className={classes.bag} aria-label="Your bag">
      <dt>You hold</dt>
      <dd title={position.amount}>
        {formatTokens(position.amount)} {token.symbol}
      </dd>
      <dt>Cost</dt>
      <dd title={position.cost}>{formatSol(position.cost, SOL_SHOWN)} SOL</dd>
      {cashOut !== null && (
        <>
          <dt>Selling all pays</dt>
          <dd className={classes.worth} title={cashOut}>
            {formatSol(cashOut, SOL_SHOWN)} SOL <span className={classes.beside}>{formatUsdHint(cashOut)}</span>
          </dd>
          <dt>Gain</dt>
          <dd>
            <Change percent={gainPercent(cashOut, position.cost)} />
          </dd>
        </>
      )}
    </dl>
  )
}

/** What selling all of a bag now would gain, in percent; null for none, and while the pool is older than the position. */
export function computeBagGain(token: Token, { amount, cost }: Pick<Position, 'amount' | 'cost'>): string | null {
  const cashOut = amount === '0' ? null : computeCashOut(toPool(token), amount)
  return cashOut === null ? null : gainPercent(cashOut, cost)
}

/** SOL after the fee; null while the pool on screen is older than the position. */
function computeCashOut(pool: Pool, amount: string): string | null {
  try {
    return cashOutValue(pool, new Decimal(amount)).toFixed()
  } catch (error) {
    if (error instanceof AmmError) return null
    throw error
  }
}

function gainPercent(value: string, cost: string): string {
  return percentText(new Decimal(value).sub(cost), new Decimal(cost))
}
