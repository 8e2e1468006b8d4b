import { useRef } from 'react'
import { ActionButton } from '../../../../components/form/action-button.tsx'
import { ManagedList, Row } from '../../../../components/layout/managed-list.tsx'
import { Panel } from '../../../../components/layout/panel.tsx'
import { cache, client, type Session, trpc } from '../../../../lib/api/api.ts'
import { relativeTime } from '../../../../lib/format/relative-time.ts'
import { useNow } from '../../../../lib/hooks/use-now.ts'
import { showToast } from '../../../../lib/ui/toasts.ts'

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
  const onSuccess = async ({ sessionsEnded }: { sessionsEnded: number }) => {
    const message = sessionsEnded === 1 ? '1 other session has ended.' : `${sessionsEnded} other sessions have ended.`
    showToast({ title: 'Sessions ended', message })
    await cache.security.sessions.invalidate()
    onEnded()
  }
  return (
    <div>
      <ActionButton
        label="End all other sessions"
        busy="Ending..."
        act={() => client.security.endOtherSessions.mutate()}
        failure="Could not end the sessions"
        onSuccess={onSuccess}
      />
    </div>
  )
}

interface SessionRowProps {
  readonly session: Session
  readonly onEnded: () => void
}

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
        <ActionButton
          label="End session"
          busy="Ending..."
          of={browser}
          act={() => client.security.endSession.mutate({ id: session.id })}
          failure="Could not end the session"
          onSuccess={() => showToast({ title: 'Session ended', message: `${browser} is logged out.` })}
          // A session that the server no longer knows has ended, too.
          onSettled={async () => {
            await cache.security.sessions.invalidate()
            onEnded()
          }}
        />
      )}
    </Row>
  )
}
