import { useState } from 'react'
import { FetchFailed } from '../../../components/feedback/fetch-failed.tsx'
import { Skeleton } from '../../../components/feedback/skeleton.tsx'
import { trpc, type Webhook } from '../../../lib/api/api.ts'
import classes from '../api-keys/api-keys.module.css'
import rows from '../settings-list.module.css'
import { WebhookRow } from './webhook-row.tsx'

const LOOK_MS = 15_000
/** While something is about to change. */
const LOOK_SOON_MS = 2_000
/** A test is answered within this time. */
const TEST_MS = 20_000

interface WebhookListProps {
  readonly onSecret: (made: { host: string; secret: string }) => void
}

/** The player's webhooks, and how each is doing. */
export function WebhookList({ onSecret }: WebhookListProps) {
  const [testedMs, setTestedMs] = useState(Number.NEGATIVE_INFINITY)
  const hooks = trpc.webhooks.list.useQuery(undefined, {
    refetchInterval: ({ state }) => (Date.now() - testedMs < TEST_MS ? LOOK_SOON_MS : chooseInterval(state.data)),
  })
  if (hooks.isPending) return <WebhookSkeleton />
  if (hooks.isError) {
    return (
      <FetchFailed
        level={3}
        title="Your webhooks could not be fetched"
        error={hooks.error}
        onRetry={() => void hooks.refetch()}
      />
    )
  }
  if (hooks.data.length === 0) {
    return <p className={classes.empty}>No webhooks yet. Give an address above, and it hears of your next trade.</p>
  }
  return (
    <ul className={rows.list} aria-label="Your webhooks">
      {hooks.data.map((webhook) => (
        <WebhookRow key={webhook.id} webhook={webhook} onSecret={onSecret} onTested={() => setTestedMs(Date.now())} />
      ))}
    </ul>
  )
}

function chooseInterval(webhooks: readonly Webhook[] | undefined): number {
  return webhooks?.some(({ status }) => status !== 'active') ? LOOK_SOON_MS : LOOK_MS
}

function WebhookSkeleton() {
  return (
    <div className={rows.list} role="status">
      <span className="visually-hidden">Loading your webhooks</span>
      <div className={rows.row}>
        <div className={rows.about}>
          <Skeleton width={220} height={20} />
          <Skeleton width={280} height={16} />
        </div>
      </div>
    </div>
  )
}
