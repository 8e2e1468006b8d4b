import { Outlet, useRouter } from '@tanstack/react-router'
import { lazy, type RefObject, Suspense, useEffect, useRef, useSyncExternalStore } from 'react'
import { FetchFailed } from '../../components/feedback/fetch-failed.tsx'
import { trpc } from '../../lib/api/api.ts'
import { lazyImport } from '../../lib/boot/lazy-import.ts'
import { whenIdle } from '../../lib/boot/when-idle.ts'
import { useConnection } from '../../lib/live/live.ts'
import { openSocket } from '../../lib/live/socket.ts'
import { latestToast, onToast, showKeptToast } from '../../lib/ui/toasts.ts'
import { useFreshBalance } from './account/use-fresh-balance.ts'
import { LoadingScreen } from './loading-screen.tsx'
import { Footer } from './nav/footer.tsx'
import { NavBar } from './nav/nav-bar.tsx'
import { OfflineStrip } from './nav/offline-strip.tsx'
import classes from './shell.module.css'
import { useSearchKey } from './shortcuts/use-search-key.ts'

/** Toasts come when the page is idle: no visitor waits for them, and a server that goes away later can be told of. */
const loadToastHost = () => import('./toast-host.tsx')
const ToastHost = lazy(() => lazyImport(loadToastHost).then((module) => ({ default: module.ToastHost })))

/** Few ever see it. */
const DeletionBanner = lazy(() =>
  lazyImport(() => import('./account/deletion-banner.tsx')).then((module) => ({ default: module.DeletionBanner })),
)

/** The same code that the balance asks for when it is pressed: it must not be missing while the server is away. */
const loadBalanceMenu = () => import('./account/balance-menu.tsx')

/** What surrounds every screen: navigation, the account's warning, toasts, the live connection. */
export function Shell() {
  const me = trpc.auth.me.useQuery(undefined, { retryOnMount: false })
  const toasted = useSyncExternalStore(onToast, () => latestToast() !== null)
  const connection = useConnection()
  const main = useRef<HTMLElement>(null)
  useFocusOnArrival(main)
  useSearchKey()
  useEffect(() => {
    showKeptToast()
    // Whoever subscribes opens it too, and asks again where that fails.
    return whenIdle(() => void openSocket().catch(() => undefined))
  }, [])
  useEffect(() => whenIdle(() => void lazyImport(loadToastHost)), [])
  useFreshBalance(me.data?.id ?? null)
  const isSignedIn = me.data != null
  useEffect(() => (isSignedIn ? whenIdle(() => void lazyImport(loadBalanceMenu)) : undefined), [isSignedIn])

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
      {me.data?.deletionDueAt != null && (
        <Suspense>
          <DeletionBanner dueAt={me.data.deletionDueAt} />
        </Suspense>
      )}
      <main ref={main} id="main" className={classes.main} tabIndex={-1}>
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

/**
 * Leads the focus into a screen that was just gone to, where a page load would: a screen reader begins to read there,
 * and the Tab key goes on from there. A screen that put the focus on a field of its own keeps it.
 */
function useFocusOnArrival(main: RefObject<HTMLElement | null>): void {
  const router = useRouter()
  useEffect(
    () =>
      router.subscribe('onRendered', ({ fromLocation, pathChanged }) => {
        if (fromLocation === undefined || !pathChanged) return
        if (main.current?.contains(document.activeElement) === false) main.current.focus({ preventScroll: true })
      }),
    [router, main],
  )
}
