import { useMutation } from '@tanstack/react-query'
import { Button } from '../../../../components/form/button.tsx'
import { cache, client, type Session } from '../../../../lib/api/api.ts'
import { getSentence } from '../../../../lib/api/failure.ts'
import { relativeTime } from '../../../../lib/format/relative-time.ts'
import { useNow } from '../../../../lib/hooks/use-now.ts'
import { showFailure, showToast } from '../../../../lib/ui/toasts.ts'
import classes from '../../api-keys/api-keys.module.css'
import rows from '../../settings-list.module.css'
import { useConfirmed } from '../confirm/use-confirmed.tsx'

interface SessionRowProps {
  readonly session: Session
  readonly onEnded: () => void
}

/** A session with its browser, address, last use and a button that ends it. */
export function SessionRow({ session, onEnded }: SessionRowProps) {
  const now = useNow()
  const { isThis, address, createdAt, lastUsedAt } = session
  const browser = session.browser ?? 'A browser of old'
  const facts = [
    ...(address === null ? [] : [address]),
    `signed in ${relativeTime(createdAt, now)}`,
    ...(isThis ? [] : [`used ${relativeTime(lastUsedAt, now)}`]),
  ]
  return (
    <li className={rows.row}>
      <div className={rows.about}>
        <span className={rows.name}>{browser}</span>
        <span className={classes.note}>{facts.join(' · ')}</span>
      </div>
      {isThis ? (
        <span className={classes.badge}>This one</span>
      ) : (
        <End session={session} browser={browser} onEnded={onEnded} />
      )}
    </li>
  )
}

function End({ session: { id }, browser, onEnded }: SessionRowProps & { readonly browser: string }) {
  const confirmed = useConfirmed(client.security.endSession.mutate)
  const end = useMutation({
    mutationFn: () => confirmed.run({ id }),
    onSuccess: () => showToast({ title: 'Session Ended', message: `${browser} is signed out.` }),
    onError: (error) => showFailure('Session Not Ended', getSentence(error), 'Failed to end the session'),
    // A session that no longer exists has ended as well.
    onSettled: async () => {
      await cache.security.sessions.invalidate()
      onEnded()
    },
  })
  return (
    <>
      <Button look="quiet" disabled={end.isPending} aria-label={`End ${browser}`} onClick={() => end.mutate()}>
        {end.isPending ? 'Ending...' : 'End'}
      </Button>
      {confirmed.dialog}
    </>
  )
}
