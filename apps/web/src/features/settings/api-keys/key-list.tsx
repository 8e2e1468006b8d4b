import { FetchFailed } from '../../../components/feedback/fetch-failed.tsx'
import { Skeleton } from '../../../components/feedback/skeleton.tsx'
import { trpc } from '../../../lib/api/api.ts'
import rows from '../settings-list.module.css'
import classes from './api-keys.module.css'
import { KeyRow } from './key-row.tsx'

/** The player's keys. */
export function KeyList() {
  const keys = trpc.keys.list.useQuery()
  if (keys.isPending) return <KeySkeleton />
  if (keys.isError) {
    return (
      <FetchFailed
        level={3}
        title="Your keys could not be fetched"
        error={keys.error}
        onRetry={() => void keys.refetch()}
      />
    )
  }
  if (keys.data.length === 0) {
    return <p className={classes.empty}>No keys yet. Name one above, and your first bot can come in.</p>
  }
  return (
    <ul className={rows.list} aria-label="Your keys">
      {keys.data.map((key) => (
        <KeyRow key={key.id} apiKey={key} />
      ))}
    </ul>
  )
}

function KeySkeleton() {
  return (
    <div className={rows.list} role="status">
      <span className="visually-hidden">Loading your keys</span>
      <div className={rows.row}>
        <div className={rows.about}>
          <Skeleton width={140} height={20} />
          <Skeleton width={220} height={16} />
        </div>
      </div>
    </div>
  )
}
