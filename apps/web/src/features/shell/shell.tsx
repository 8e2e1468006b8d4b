import { Outlet } from '@tanstack/react-router'
import { lazy, Suspense, useEffect, useSyncExternalStore } from 'react'
import { FetchFailed } from '../../components/fetch-failed.tsx'
import { trpc } from '../../lib/api.ts'
import { useConnection } from '../../lib/live.ts'
import { loadLate } from '../../lib/load-late.ts'
import { openSocket } from '../../lib/socket.ts'
import { latestToast, onToast, showKeptToast } from '../../lib/toasts.ts'
import { whenIdle } from '../../lib/when-idle.ts'
import { Footer } from './footer.tsx'
import { LoadingScreen } from './loading-screen.tsx'
import { NavBar } from './nav-bar.tsx'
import { OfflineStrip } from './offline-strip.tsx'
import classes from './shell.module.css'

/** Toasts come with the first touch of a key or pointer: no visitor waits for them, and what fails later can be told. */
const loadToastHost = () => import('./toast-host.tsx')
const ToastHost = lazy(() => loadLate(loadToastHost).then((module) => ({ default: module.ToastHost })))

/** What surrounds every screen: navigation, the account's warning, toasts, the live connection. */
export function Shell() {
  const me = trpc.auth.me.useQuery()
  const toasted = useSyncExternalStore(onToast, () => latestToast() !== null)
  const connection = useConnection()
  useEffect(() => {
    showKeptToast()
    return whenIdle(openSocket)
  }, [])
  useEffect(() => onFirstTouch(() => void loadLate(loadToastHost)), [])

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

/** Calls `act` when the visitor first touches the page; returns the way to call it off. */
function onFirstTouch(act: () => void): () => void {
  const controller = new AbortController()
  const touched = () => {
    controller.abort()
    act()
  }
  for (const event of ['pointerdown', 'keydown'] as const) {
    window.addEventListener(event, touched, { signal: controller.signal, passive: true })
  }
  return () => controller.abort()
}
