import { computeMarketCap, Decimal } from '@papermoon/amm'
import { formatMarketCap } from '@papermoon/format'
import type { ValueUnit } from '../../lib/market/value-unit.ts'
import { Price } from './price.tsx'

interface ValueProps {
  readonly price: string
  readonly unit: ValueUnit
  readonly saysSol?: boolean
}

/** Shows a price in SOL, or the market cap at that price. The title contains the exact value. */
export function Value({ price, unit, saysSol = false }: ValueProps) {
  if (unit === 'price') {
    return (
      <>
        <Price value={price} />
        {saysSol && ' SOL'}
      </>
    )
  }
  const cap = toMarketCap(price)
  return <span title={`${cap} SOL`}>{formatMarketCap(cap)}</span>
}

/** Returns the market cap in SOL at a price in SOL, as exact decimal text. */
export function toMarketCap(price: string): string {
  return computeMarketCap(new Decimal(price)).toFixed()
}
