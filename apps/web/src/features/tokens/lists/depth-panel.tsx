import { Decimal } from '@papermoon/amm'
import { formatSol } from '@papermoon/format'
import type { CSSProperties } from 'react'
import { Value } from '../../../components/figures/value.tsx'
import { Panel } from '../../../components/layout/panel.tsx'
import { type DepthBucket, type Token, trpc } from '../../../lib/api/api.ts'
import { polled } from '../../../lib/api/query-client.ts'
import { useValueUnit, type ValueUnit } from '../../../lib/market/value-unit.ts'
import classes from './depth-panel.module.css'
import holders from './top-holders.module.css'

const EVERY_MS = 10_000
/** Number of prices on each side of the current price. */
const SHOWN = 5

/**
 * Shows the order book's depth, with sell orders above the price and buy orders below. Renders nothing if there are no
 * waiting orders.
 */
export function DepthPanel({ token }: { token: Token }) {
  const unit = useValueUnit()
  const { data } = trpc.waitingOrders.depth.useQuery({ id: token.id }, polled(EVERY_MS))
  const buys = data?.buys.slice(0, SHOWN) ?? []
  const sales = data?.sales.slice(0, SHOWN) ?? []
  const most = Decimal.max(0, ...[...buys, ...sales].map(({ sol }) => sol))
  if (most.isZero()) return null
  const side = (name: 'buy' | 'sale', buckets: readonly DepthBucket[]) =>
    buckets.map((bucket) => (
      <Bucket key={`${name} ${bucket.from}`} side={name} bucket={bucket} most={most} unit={unit} />
    ))
  return (
    <Panel title="Waiting orders by price">
      <ul>
        {side('sale', sales.toReversed())}
        <li className="p-s bold">
          Current price <Value price={token.currentPrice} unit={unit} saysSol />
        </li>
        {side('buy', buys)}
      </ul>
      <p className="small mt-s">Each line shows the SOL in waiting limit orders from at least three players.</p>
    </Panel>
  )
}

interface BucketProps {
  readonly side: 'buy' | 'sale'
  readonly bucket: DepthBucket
  readonly most: Decimal
  readonly unit: ValueUnit
}

function Bucket({ side, bucket: { from, to, sol }, most, unit }: BucketProps) {
  return (
    <li
      className={`row gap-s p-xs-s text-s clipped relative ${holders.holder} between ${classes.bucket}`}
      data-side={side}
    >
      <span
        className={`full round-s absolute ${holders.strip}`}
        style={{ '--share': new Decimal(sol).div(most).toFixed(4) } as CSSProperties}
        aria-hidden="true"
      />
      <span className="relative">
        <span className="visually-hidden">{side === 'buy' ? 'Buys' : 'Sales'} at </span>
        <Value price={from} unit={unit} /> – <Value price={to} unit={unit} />
      </span>
      <span className={`fixed semibold ${holders.amount}`} title={`${sol} SOL`}>
        {formatSol(sol, 2)} SOL
      </span>
    </li>
  )
}
