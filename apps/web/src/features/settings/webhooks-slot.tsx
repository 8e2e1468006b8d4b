import { lazy, Suspense } from 'react'
import { Skeleton } from '../../components/feedback/skeleton.tsx'
import { Panel } from '../../components/layout/panel.tsx'
import { lazyImport } from '../../lib/boot/lazy-import.ts'
import classes from './webhooks-slot.module.css'

const Webhooks = lazy(() =>
  lazyImport(() => import('./webhooks/webhooks.tsx')).then((module) => ({ default: module.Webhooks })),
)

/** The player's webhooks, loaded apart from the rest of the settings. */
export function WebhooksSlot() {
  return (
    <Suspense
      fallback={
        <Panel title="Webhooks" level={3} className={classes.loading}>
          <Skeleton width={260} height={20} />
        </Panel>
      }
    >
      <Webhooks />
    </Suspense>
  )
}
