import { useRef } from 'react'
import { Button } from '../../../../components/form/button.tsx'
import { useConfirmedMutation } from '../../../../components/form/confirmation.tsx'
import { Panel } from '../../../../components/layout/panel.tsx'
import { cache, client, type Session, trpc } from '../../../../lib/api/api.ts'
import { relativeTime } from '../../../../lib/format/relative-time.ts'
import { useNow } from '../../../../lib/hooks/use-now.ts'
import { showToast } from '../../../../lib/ui/toasts.ts'
import { ManagedList, Row } from '../../settings-parts.tsx'

/** Lists the player's sessions, with buttons that end them. */
export function SessionsPanel() {
  const sessions = trpc.security.sessions.useQuery()
  const heading = useRef<HTMLHeadingElement>(null)
  // Focus the heading, because the pressed button is removed together with its row.
  const onEnded = () => heading.current?.focus()
  return (
    <Panel title="Sessions" heading={heading}>
      <p className="dim pretty">
        You are logged in on these devices. End any session that you do not recognize, then change your password. A
        session ends by itself 30 days after its last use, and no later than 90 days after you logged in.
      </p>
      <ManagedList label="Your sessions" query={sessions}>
        {(session) => <SessionRow key={session.id} session={session} onEnded={onEnded} />}
      </ManagedList>
      {sessions.data !== undefined && sessions.data.length > 1 && <EndOthers onEnded={onEnded} />}
    </Panel>
  )
}

function EndOthers({ onEnded }: { onEnded: () => void }) {
  const end = useConfirmedMutation(() => client.security.endOtherSessions.mutate(), {
    failure: 'Could not end the sessions',
    onSuccess: async ({ sessionsEnded }) => {
      showToast({
        title: 'Sessions ended',
        message: sessionsEnded === 1 ? '1 other session has ended.' : `${sessionsEnded} other sessions have ended.`,
      })
      await cache.security.sessions.invalidate()
      onEnded()
    },
  })
  return (
    <div>
      <Button look="quiet" disabled={end.isPending} onClick={() => end.mutate()}>
        {end.isPending ? 'Ending...' : 'End all other sessions'}
      </Button>
    </div>
  )
}

interface SessionRowProps {
  readonly session: Session
  readonly onEnded: () => void
}

/** Shows a session with its browser, IP address and last use. The row has a button that ends the session. */
function SessionRow({ session, onEnded }: SessionRowProps) {
  const now = useNow()
  const { isThis, address, createdAt, lastUsedAt } = session
  const browser = session.browser ?? 'Unknown browser'
  const facts = [
    ...(address === null ? [] : [address]),
    `logged in ${relativeTime(createdAt, now)}`,
    ...(isThis ? [] : [`used ${relativeTime(lastUsedAt, now)}`]),
  ]
  return (
    <Row title={browser} notes={[facts.join(' · ')]}>
      {isThis ? (
        <span className="p-xs-s round text-s bold on-moon">This session</span>
      ) : (
        <End session={session} browser={browser} onEnded={onEnded} />
      )}
    </Row>
  )
}

function End({ session: { id }, browser, onEnded }: SessionRowProps & { readonly browser: string }) {
  const end = useConfirmedMutation(() => client.security.endSession.mutate({ id }), {
    failure: 'Could not end the session',
    onSuccess: () => showToast({ title: 'Session ended', message: `${browser} is logged out.` }),
    // A session that the server no longer knows has ended, too.
    onSettled: async () => {
      await cache.security.sessions.invalidate()
      onEnded()
    },
  })
  return (
    <Button look="quiet" disabled={end.isPending} aria-label={`End session: ${browser}`} onClick={() => end.mutate()}>
      {end.isPending ? 'Ending...' : 'End session'}
    </Button>
  )
}
