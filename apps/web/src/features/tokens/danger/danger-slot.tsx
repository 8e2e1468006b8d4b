import { lazy, Suspense } from 'react'
import type { Token } from '../../../lib/api/api.ts'
import { lazyImport } from '../../../lib/boot/lazy-import.ts'
import classes from './danger-slot.module.css'

const DangerPanel = lazy(() =>
  lazyImport(() => import('./danger-panel.tsx')).then((module) => ({ default: module.DangerPanel })),
)

/** Loads the danger panel after the page, in its final height. Empty for a rugged token, whose worst is over. */
export function DangerSlot({ token }: { token: Token }) {
  if (token.ruggedAt !== null) return null
  return (
    <div className={classes.slot}>
      <Suspense>
        <DangerPanel token={token} />
      </Suspense>
    </div>
  )
}
