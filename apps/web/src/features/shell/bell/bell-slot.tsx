import { lazy, Suspense } from 'react'
import { lazyImport } from '../../../lib/boot/lazy-import.ts'

/** Lazy: no first screen needs it. */
const Bell = lazy(() => lazyImport(() => import('./bell.tsx')).then(({ Bell }) => ({ default: Bell })))

/** The bell in the bar; keeps its place until it is loaded. */
export function BellSlot() {
  return (
    <span style={{ minWidth: 'var(--pm-touch)' }}>
      <Suspense>
        <Bell />
      </Suspense>
    </span>
  )
}
