import { useEffect } from 'react'
import { trpc } from '../../lib/api/api.ts'
import { queryClient } from '../../lib/api/query-client.ts'
import classes from './setting-up.module.css'

const LOOK_EVERY_MS = 700

/**
 * Shown while a new market gets its history. When it is removed, the page's data is fetched again, since a history comes
 * without events.
 */
export function SettingUp() {
  trpc.site.settings.useQuery(undefined, { refetchInterval: LOOK_EVERY_MS })
  useEffect(() => () => void queryClient.invalidateQueries(), [])
  return (
    <p className={classes.line} role="status">
      <strong>The fair is being set up.</strong> Stalls, prices and a past arrive in a moment…
    </p>
  )
}
