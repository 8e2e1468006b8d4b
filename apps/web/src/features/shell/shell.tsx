import { Outlet } from '@tanstack/react-router'
import { lazy, Suspense, useEffect, useSyncExternalStore } from 'react'
import { FetchFailed } from '../../components/fetch-failed.tsx'
import { trpc } from '../../lib/api.ts'
import { useConnection } from '../../lib/live.ts'
import { openSocket } from '../../lib/socket.ts'
import { latestToast, onToast, showKeptToast } from '../../lib/toasts.ts'
import { whenIdle } from '../../lib/when-idle.ts'
import { Footer } from './footer.tsx'
import { LoadingScreen } from './loading-screen.tsx'
import { NavBar } from './nav-bar.tsx'
import { OfflineStrip } from './offline-strip.tsx'
import classes from './shell.module.css'

/** Toasts come with the first one that is needed: no visitor waits for them. */
const ToastHost = lazy(() => import('./toast-host.tsx').then((module) => ({ default: module.ToastHost })))

/** What surrounds every screen: navigation, the account's warning, toasts, the live connection. */
export function Shell() {
  const me = trpc.auth.me.useQuery()
  const toasted = useSyncExternalStore(onToast, () => latestToast() !== null)
  const connection = useConnection()
  useEffect(() => {
    showKeptToast()
    return whenIdle(openSocket)
  }, [])

  if (me.isPending) return <LoadingScreen />
  return (
    <div className={classes.shell} data-connection={connection.state}>
      <a className={classes.skip} href="#main">
        Skip to the content
      </a>
      <NavBar user={me.data ?? null} />
      {me.data?.warning != null && me.data.warning !== '' && (
        <p className={classes.warning} role="status">
          <span aria-hidden="true">⚠ </span>
          {me.data.warning}
        </p>
      )}
      <main id="main" className={classes.main} tabIndex={-1}>
        {me.isError ? (
          <FetchFailed level={1} title="Failed to fetch user" error={me.error} onRetry={() => void me.refetch()} />
        ) : (
          <Outlet />
        )}
      </main>
      <Footer />
      {connection.state === 'offline' && <OfflineStrip sinceMs={connection.since} />}
      {toasted && (
        <Suspense>
          <ToastHost />
        </Suspense>
      )}
    </div>
  )
}
