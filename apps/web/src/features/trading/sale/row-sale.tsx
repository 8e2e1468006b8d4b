import { lazy, Suspense } from 'react'
import type { Token } from '../../../lib/api/api.ts'
import { lazyImport } from '../../../lib/boot/lazy-import.ts'
import { refetchPosition } from '../order/settle-trade.ts'
import classes from './row-sale.module.css'
import type { RowSaleProps } from './row-sale-form.tsx'
import { RowSaleWaiting } from './row-sale-waiting.tsx'

const RowSaleForm = lazy(() =>
  lazyImport(() => import('./row-sale-form.tsx')).then((module) => ({ default: module.RowSaleForm })),
)

/** Sells a token from a list row; the form is loaded when it is opened. */
export function RowSale(props: RowSaleProps) {
  return (
    <Suspense fallback={<RowSaleWaiting />}>
      <RowSaleForm {...props} />
    </Suspense>
  )
}

const SaleForm = lazy(() =>
  lazyImport(() => import('./row-sale-form.tsx')).then((module) => ({ default: module.SaleForm })),
)

interface HiddenSaleProps {
  readonly token: Pick<Token, 'id' | 'symbol' | 'pool'>
  /** Exact amount the player holds. */
  readonly amount: string
}

/** Sells a hidden token. It has no live feed, so each sale refetches the position, which brings the pool. */
export function HiddenSale({ token, amount }: HiddenSaleProps) {
  const refetch = () => {
    // Refused after the last sale: then the token does not exist for the player any more, and the page says so.
    refetchPosition(token.id).catch(() => {})
  }
  return (
    <div className={classes.sale}>
      <Suspense fallback={<RowSaleWaiting />}>
        <SaleForm token={token} have={amount} onSold={refetch} isFocused={false} />
      </Suspense>
    </div>
  )
}
