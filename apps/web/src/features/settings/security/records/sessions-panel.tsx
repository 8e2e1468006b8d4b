import { useMutation } from '@tanstack/react-query'
import { useRef } from 'react'
import { FetchFailed } from '../../../../components/feedback/fetch-failed.tsx'
import { Skeleton } from '../../../../components/feedback/skeleton.tsx'
import { Button } from '../../../../components/form/button.tsx'
import { Panel } from '../../../../components/layout/panel.tsx'
import { cache, client, trpc } from '../../../../lib/api/api.ts'
import { getSentence } from '../../../../lib/api/failure.ts'
import { showFailure, showToast } from '../../../../lib/ui/toasts.ts'
import classes from '../../api-keys/api-keys.module.css'
import rows from '../../settings-list.module.css'
import { useConfirmed } from '../confirm/use-confirmed.tsx'
import { SessionRow } from './session-row.tsx'

/** The player's sessions, with buttons that end them. */
export function SessionsPanel() {
  const heading = useRef<HTMLHeadingElement>(null)
  return (
    <Panel title="Sessions" level={3} heading={heading}>
      <p className={classes.text}>
        Where you are signed in. End what you do not know, then set a new password. A session ends by itself 30 days
        after its last use, and 90 days after it began.
      </p>
      {/* Focus the heading: the pressed button is removed with its row. */}
      <SessionList onEnded={() => heading.current?.focus()} />
    </Panel>
  )
}

function SessionList({ onEnded }: { onEnded: () => void }) {
  const sessions = trpc.security.sessions.useQuery()
  if (sessions.isPending) return <SessionsSkeleton />
  if (sessions.isError) {
    return (
      <FetchFailed
        level={3}
        title="Your sessions could not be fetched"
        error={sessions.error}
        onRetry={() => void sessions.refetch()}
      />
    )
  }
  return (
    <>
      <ul className={rows.list} aria-label="Your sessions">
        {sessions.data.map((session) => (
          <SessionRow key={session.id} session={session} onEnded={onEnded} />
        ))}
      </ul>
      {sessions.data.length > 1 && <EndOthers onEnded={onEnded} />}
    </>
  )
}

function EndOthers({ onEnded }: { onEnded: () => void }) {
  const confirmed = useConfirmed(client.security.endOtherSessions.mutate)
  const end = useMutation({
    mutationFn: () => confirmed.run(),
    onSuccess: async ({ sessionsEnded }) => {
      showToast({
        title: 'Sessions Ended',
        message: sessionsEnded === 1 ? '1 other session has ended.' : `${sessionsEnded} other sessions have ended.`,
      })
      await cache.security.sessions.invalidate()
      onEnded()
    },
    onError: (error) => showFailure('Sessions Not Ended', getSentence(error), 'Failed to end the sessions'),
  })
  return (
    <div>
      <Button look="quiet" disabled={end.isPending} onClick={() => end.mutate()}>
        {end.isPending ? 'Ending...' : 'End All Others'}
      </Button>
      {confirmed.dialog}
    </div>
  )
}

function SessionsSkeleton() {
  return (
    <div className={rows.list} role="status">
      <span className="visually-hidden">Loading your sessions</span>
      <div className={rows.row}>
        <div className={rows.about}>
          <Skeleton width={160} height={20} />
          <Skeleton width={240} height={16} />
        </div>
      </div>
    </div>
  )
}
