import '@mantine/core/styles/UnstyledButton.css'
import '@mantine/core/styles/CloseButton.css'
import '@mantine/core/styles/Paper.css'
import '@mantine/core/styles/Notification.css'
import '@mantine/notifications/styles.css'
import { Portal } from '@mantine/core'
import { Notifications, notifications } from '@mantine/notifications'
import { Link } from '@tanstack/react-router'
import { type PointerEvent, useEffect, useLayoutEffect, useState, useSyncExternalStore } from 'react'
import { findLiveRegion } from '../../components/feedback/spoken.tsx'
import { Themed } from '../../components/layout/themed.tsx'
import { useHotkey } from '../../lib/ui/hotkeys.ts'
import { latestToast, onToast } from '../../lib/ui/toasts.ts'
import classes from './toast-host.module.css'

const SHOWN_MS = 5_000
/** Matches windows in which toasts are at the top, over the header. */
const DESK = '(min-width: 62em)'
/**
 * Max time in ms between a toast's creation and its first appearance. A toast is not shown if it would first appear
 * later.
 */
const LATE_MAX_MS = 30_000

/** Number of the last toast that was shown. A new host does not show an expired toast again. */
let lastShown = 0
/** Min distance of a swipe to the right that dismisses a toast, in px. */
const SWIPE_PX = 50

/** Shows the latest toast for 5 seconds. The key F8 focuses the toast. */
export function ToastHost() {
  const latest = useSyncExternalStore(onToast, latestToast)
  const [generation, setGeneration] = useState(0)
  // Set the toast in the layout phase, so that the old container and the new toast change in one paint.
  useLayoutEffect(() => {
    if (latest === null) return
    const ageMs = performance.now() - latest.askedAtMs
    if (ageMs > (latest.number === lastShown ? SHOWN_MS : LATE_MAX_MS)) return
    lastShown = latest.number
    const { title, message, kind = 'default', link } = latest.toast
    const id = `toast-${latest.number}`
    notifications.clean()
    notifications.show({
      id,
      title,
      message: (
        <>
          {message ?? ''}{' '}
          {link !== undefined && (
            <Link className="ink bold" to={link.path} onClick={() => notifications.hide(id)}>
              {link.label}
            </Link>
          )}
        </>
      ),
      icon: kind === 'loss' ? <TornTicket /> : <span aria-hidden="true">{ICONS[kind]}</span>,
      // Use no live role, because the page's live region already announces the toast.
      role: 'group',
      tabIndex: 0,
      className: classes.toast,
      // The toast slides in from the nearest edge of the window.
      position: matchMedia(DESK).matches ? 'top-center' : 'bottom-center',
      // The toast slides in and out instead of fading, because text that fades has too little contrast.
      style: { opacity: 1 },
      'data-kind': kind,
      classNames: { icon: classes.icon, body: classes.body, title: classes.title, description: classes.description },
      closeButtonProps: { 'aria-label': 'Dismiss' },
      ...swipeRight(() => notifications.hide(id)),
    })
    setGeneration(latest.number)
  }, [latest])
  // Remove the shown toasts, because the library stores them globally and would show them in the next host.
  useEffect(() => () => notifications.clean(), [])
  useHotkey('F8', () => document.querySelector<HTMLElement>(`.${classes.toast}`)?.focus())

  return (
    <Themed>
      <Portal target={findLiveRegion()}>
        {/* Put all containers into one landmark, so that screen readers announce only one. */}
        <section data-portal="" aria-label="Notifications (F8)">
          <Notifications
            // Each toast gets a new container, because the old toast would stay in a shared one during its exit
            // animation.
            key={generation}
            className={classes.area}
            limit={1}
            autoClose={SHOWN_MS}
            allowDragDismiss={false}
            allowScrollDismiss={false}
            withinPortal={false}
          />
        </section>
      </Portal>
    </Themed>
  )
}

const ICONS = { default: '✓', destructive: '!', news: '♪' } as const

function TornTicket() {
  return (
    <svg viewBox="0 0 24 24" width="20" height="20" aria-hidden="true" focusable="false">
      <path d="M2 7h9l-2 3 2 2-2 2 2 3H2v-3a2 2 0 0 0 0-4z" fill="currentColor" transform="rotate(-7 6 12)" />
      <path d="M13 7h9v3a2 2 0 0 0 0 4v3h-9l-2-3 2-2-2-2z" fill="currentColor" transform="rotate(7 18 12)" />
    </svg>
  )
}

/** Returns pointer handlers that drag an element to the right. Beyond `SWIPE_PX`, they dismiss it. */
function swipeRight(dismiss: () => void) {
  let startX: number | null = null
  const moved = (event: PointerEvent<HTMLElement>) => (startX === null ? 0 : Math.max(0, event.clientX - startX))
  return {
    onPointerDown: (event: PointerEvent<HTMLElement>) => {
      if ((event.target as Element).closest('button, a') !== null) return
      startX = event.clientX
      event.currentTarget.setPointerCapture(event.pointerId)
    },
    onPointerMove: (event: PointerEvent<HTMLElement>) => {
      if (startX !== null) event.currentTarget.style.translate = `${moved(event)}px`
    },
    onPointerUp: (event: PointerEvent<HTMLElement>) => {
      if (moved(event) >= SWIPE_PX) dismiss()
      else event.currentTarget.style.translate = ''
      startX = null
    },
    onPointerCancel: (event: PointerEvent<HTMLElement>) => {
      event.currentTarget.style.translate = ''
      startX = null
    },
  }
}
