import { useConnection } from '../../lib/live.ts'
import { relativeTime } from '../../lib/relative-time.ts'
import { useNow } from '../../lib/use-now.ts'
import classes from './token-screen.module.css'

/** Says, in one place, that the figures stand still and how old they are. What is below it fetches itself again. */
export function StaleNotice() {
  const { state, since } = useConnection()
  return (
    <div role="status">
      {state === 'offline' && (
        <p className={classes.offline}>
          The live connection is lost: the figures below are from <Age sinceMs={since} />. They catch up by themselves.
        </p>
      )}
    </div>
  )
}

function Age({ sinceMs }: { sinceMs: number }) {
  const now = useNow()
  // Not read out each second.
  return <span aria-hidden="true">{relativeTime(new Date(sinceMs).toISOString(), now)}</span>
}
