import { lazy, Suspense } from 'react'
import { lazyImport } from '../../../lib/boot/lazy-import.ts'
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
