import { Outlet, useRouter } from '@tanstack/react-router'
import { type RefObject, useEffect, useLayoutEffect, useRef, useSyncExternalStore } from 'react'
import { UnlessFailed } from '../../components/feedback/fetched.tsx'
import { Moon } from '../../components/layout/moon.tsx'
import { trpc } from '../../lib/api/api.ts'
import { toServerTime } from '../../lib/api/server-now.ts'
import { lazyImport, lazyPart } from '../../lib/boot/lazy-import.ts'
import { whenIdle } from '../../lib/boot/when-idle.ts'
import { relativeTime } from '../../lib/format/relative-time.ts'
import { useNow } from '../../lib/hooks/use-now.ts'
import { useOwnAccount } from '../../lib/live/own-account.ts'
import { openSocket, useConnection } from '../../lib/live/socket.ts'
import { PLAYER_KEY, store } from '../../lib/ui/stored.ts'
import { latestToast, onToast, showStoredToast } from '../../lib/ui/toasts.ts'
import { Footer } from './nav/footer.tsx'
import { NavBar } from './nav/nav-bar.tsx'
import classes from './shell.module.css'

/**
 * Load the code for toasts when the browser is idle. No first screen needs toasts, but they must be available if the
 * server becomes unreachable.
 */
const loadToastHost = () => import('./toast-host.tsx')
const ToastHost = lazyPart(loadToastHost, 'ToastHost')

/** Load the code of site notes lazily, because such notes are rare. */
const SiteNotes = lazyPart(() => import('./site-notes.tsx'), 'SiteNotes')

/** Load the menu's code after login, so that the menu also opens while the server is unreachable. */
const loadBalanceMenu = () => import('./account/balance-menu.tsx')

/** The frame of every screen, with navigation, account warning, toasts and live connection. */
export function Shell() {
  const me = trpc.auth.me.useQuery(undefined, { retryOnMount: false })
  const { data: site } = trpc.site.settings.useQuery()
  const toasted = useSyncExternalStore(onToast, () => latestToast() !== null)
  const connection = useConnection()
  const main = useRef<HTMLElement>(null)
  useArrival(main)
  useEffect(() => {
    showStoredToast()
    // Ignore a failure here, because subscribers open the connection and retry.
    whenIdle(() => openSocket().catch(() => undefined))
    whenIdle(() => lazyImport(loadToastHost))
  }, [])
  const playerId = me.data?.id ?? null
  const isSignedIn = playerId !== null
  useOwnAccount(playerId)
  useLayoutEffect(() => {
    if (me.isSuccess) markPlayer(playerId)
  }, [playerId, me.isSuccess])
  useEffect(() => (isSignedIn ? whenIdle(() => lazyImport(loadBalanceMenu)) : undefined), [isSignedIn])

  if (me.isPending) return <LoadingScreen />
  return (
    <div className={`stack ${classes.shell}`} data-connection={connection.state}>
      <a className={`p-m-l round-s bold on-moon absolute ${classes.skip}`} href="#main">
        Skip to content
      </a>
      <NavBar user={me.data ?? null} />
      {(me.data?.warning || me.data?.deletionDueAt || site?.isSettingUp || site?.announcement) && <SiteNotes />}
      <main ref={main} id="main" className={`grow full mx-auto p-xl-l ${classes.main}`} tabIndex={-1}>
        <UnlessFailed level={1} query={me} failure="Failed to fetch user">
          <Outlet />
        </UnlessFailed>
      </main>
      <Footer />
      {connection.state === 'offline' && <OfflineStrip sinceMs={connection.since} />}
      {toasted && <ToastHost />}
    </div>
  )
}

/**
 * Does what a page load would do whenever another screen opens. Sets the canonical URL, which phones share. Moves the
 * focus into the screen, for screen readers and the Tab key, unless the screen has focused a field itself.
 */
function useArrival(main: RefObject<HTMLElement | null>): void {
  const router = useRouter()
  useEffect(
    () =>
      router.subscribe('onRendered', ({ fromLocation, pathChanged }) => {
        if (fromLocation === undefined || !pathChanged) return
        const { origin, pathname } = location
        document.head.querySelector('link[rel="canonical"]')?.setAttribute('href', `${origin}${pathname}`)
        if (main.current?.contains(document.activeElement) === false) main.current.focus({ preventScroll: true })
      }),
    [router, main],
  )
}

/** The screen that is shown until the app knows whether a player is logged in. */
function LoadingScreen() {
  return (
    <div className={`grid gap-l place-center items-center ${classes.screen}`} role="status">
      <Moon size={64} className={`swings ${classes.moon}`} />
      <p className="display text-xl">Loading...</p>
    </div>
  )
}

/** Says how old the values are while the live connection is lost. */
function OfflineStrip({ sinceMs }: { sinceMs: number }) {
  const now = useNow()
  return (
    <p className={`p-s-m text-s on-raised high-shadow ${classes.strip}`}>
      <strong>Offline.</strong> Figures are from {relativeTime(new Date(toServerTime(sinceMs)).toISOString(), now)}.
      Reconnecting…
    </p>
  )
}

/**
 * Marks the page as a player's or a guest's page, which its styles use. This browser stores the mark, because the next
 * page draws its first view before it knows the visitor.
 */
function markPlayer(id: number | null): void {
  document.documentElement.toggleAttribute('data-player', id !== null)
  store(PLAYER_KEY, id === null ? null : `${id}`)
}
