import type { Token } from '../../../lib/api/api.ts'
import { lazyPart } from '../../../lib/boot/lazy-import.ts'
import { refetchPosition } from '../order/place-order.ts'
import classes from './row-sale.module.css'
import { RowSaleWaiting } from './row-sale-waiting.tsx'

const loadForm = () => import('./row-sale-form.tsx')

/** Sells a token from a list row. The form's code is loaded when it opens. */
export const RowSale = lazyPart(loadForm, 'RowSaleForm', <RowSaleWaiting />)

const SaleForm = lazyPart(loadForm, 'SaleForm', <RowSaleWaiting />)

interface HiddenSaleProps {
  readonly token: Pick<Token, 'id' | 'symbol' | 'pool'>
  readonly amount: string
}

/**
 * Sells a hidden token. A hidden token has no live feed, so each sale refetches the holding, which includes the pool.
 */
export function HiddenSale({ token, amount }: HiddenSaleProps) {
  const refetch = () => {
    // The server rejects the refetch after the last sale, because the hidden token then no longer exists for the
    // player.
    refetchPosition(token.id).catch(() => {})
  }
  return (
    <div className={`${classes.sale} stack gap-l fit`}>
      <SaleForm token={token} have={amount} onSold={refetch} isFocused={false} />
    </div>
  )
}
