import { useState } from 'react'
import { FetchFailed } from '../../components/feedback/fetch-failed.tsx'
import { Skeleton } from '../../components/feedback/skeleton.tsx'
import { Button } from '../../components/form/button.tsx'
import { Panel } from '../../components/layout/panel.tsx'
import { trpc } from '../../lib/api/api.ts'
import { getReason } from '../../lib/api/failure.ts'
import classes from './admin.module.css'
import { FactorForm } from './factor-form.tsx'

/** Every act there was, for operators, with whether its chain is whole. */
export function ModerationLog() {
  const [before, setBefore] = useState<number>()
  const query = trpc.admin.log.useQuery({ before }, { staleTime: 0, retry: false })
  if (getReason(query.error) === 'CONFIRMATION_NEEDED') return <FactorForm onProven={() => void query.refetch()} />
  if (query.isError && query.data === undefined)
    return <FetchFailed title="The log is out of reach" error={query.error} onRetry={() => void query.refetch()} />
  if (query.data === undefined) return <Skeleton height={160} />
  const { entries, brokenAt } = query.data
  const last = entries.at(-1)
  return (
    <Panel title="Log">
      <p className={classes.dim}>
        {brokenAt === null ? 'Every row fits the one before it.' : `Row ${brokenAt} was changed or is missing.`}
      </p>
      <ol className={classes.records}>
        {entries.map(({ id, at, actor, asRole, act, kind, targetId, concerned, words, reason, isUndone }) => (
          <li key={id} className={classes.record}>
            <b>#{id}</b> {at.slice(0, 16).replace('T', ' ')} {actor?.username ?? asRole}: {act} {kind}
            {targetId > 0 && ` ${targetId}`}
            {concerned === null ? words !== null && words !== '' && ` (${words})` : ` of ${concerned.username}`}
            {reason !== null && reason !== '' && `, “${reason}”`}
            {isUndone && ' (taken back)'}
          </li>
        ))}
      </ol>
      <div className={classes.keys}>
        {before !== undefined && (
          <Button look="quiet" onClick={() => setBefore(undefined)}>
            Newest
          </Button>
        )}
        {/* The chain begins with row 1. */}
        {last === undefined || last.id === 1 ? (
          <p className={classes.dim}>Nothing older.</p>
        ) : (
          <Button look="quiet" onClick={() => setBefore(last.id)}>
            Older
          </Button>
        )}
      </div>
    </Panel>
  )
}
