import { cache, type Token } from '../../../lib/api/api.ts'
import { lazyPart } from '../../../lib/boot/lazy-import.ts'
import classes from './row-sale.module.css'
import { RowSaleWaiting } from './row-sale-waiting.tsx'

const loadForm = () => import('./row-sale-form.tsx')

/** Sells a token from a list row, with a form whose code is loaded when the form opens. */
export const RowSale = lazyPart(loadForm, 'RowSaleForm', <RowSaleWaiting />)

const SaleForm = lazyPart(loadForm, 'SaleForm', <RowSaleWaiting />)

interface HiddenSaleProps {
  readonly token: Pick<Token, 'id' | 'symbol' | 'pool'>
  readonly amount: string
}

/** Sells a hidden token. Hidden tokens have no live feed, so each sale fetches the holding and the pool again. */
export function HiddenSale({ token, amount }: HiddenSaleProps) {
  const refetch = () => {
    // Ignore the error after the last sale. The server then rejects the request, because the hidden token no longer
    // exists for the player.
    cache.trading.position.fetch({ tokenId: token.id }, { staleTime: 0 }).catch(() => {})
  }
  return (
    <div className={`${classes.sale} stack gap-l fit`}>
      <SaleForm token={token} have={amount} onSold={refetch} isFocused={false} />
    </div>
  )
}
