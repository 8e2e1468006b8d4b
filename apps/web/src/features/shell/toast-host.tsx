import '@mantine/core/styles/UnstyledButton.css'
import '@mantine/core/styles/CloseButton.css'
import '@mantine/core/styles/Paper.css'
import '@mantine/core/styles/Notification.css'
import '@mantine/notifications/styles.css'
import { Portal } from '@mantine/core'
import { Notifications, notifications } from '@mantine/notifications'
import { type PointerEvent, useEffect, useLayoutEffect, useState, useSyncExternalStore } from 'react'
import { Themed } from '../../components/layout/themed.tsx'
import { useHotkey } from '../../lib/ui/hotkeys.ts'
import { latestToast, onToast } from '../../lib/ui/toasts.ts'
import classes from './toast-host.module.css'

const SHOWN_MS = 5_000
/** A swipe to the right of at least this many pixels dismisses. */
const SWIPE_PX = 50

/** Draws the toast that was asked for last: one at a time, for 5 seconds; F8 goes to it. */
export function ToastHost() {
  const latest = useSyncExternalStore(onToast, latestToast)
  const [generation, setGeneration] = useState(0)
  // In the layout phase, so that the new container and the new toast come in one step.
  useLayoutEffect(() => {
    // Where this code came late, what a toast told of is long past.
    if (latest === null || Date.now() - latest.askedAtMs > SHOWN_MS) return
    const { title, message, kind } = latest.toast
    const id = `toast-${latest.number}`
    const destructive = kind === 'destructive'
    notifications.clean()
    notifications.show({
      id,
      title,
      message: message ?? '',
      icon: <span aria-hidden="true">{destructive ? '!' : '✓'}</span>,
      role: destructive ? 'alert' : 'status',
      tabIndex: 0,
      className: classes.toast,
      'data-kind': destructive ? 'destructive' : 'default',
      classNames: { icon: classes.icon, title: classes.title, description: classes.description },
      closeButtonProps: { 'aria-label': 'Dismiss' },
      ...swipeRight(() => notifications.hide(id)),
    })
    setGeneration(latest.number)
  }, [latest])
  // The library keeps what it shows, and would show it again to the next host.
  useEffect(() => () => notifications.clean(), [])
  useHotkey('F8', () => document.querySelector<HTMLElement>(`.${classes.toast}`)?.focus())

  return (
    <Themed>
      <Portal>
        {/* One landmark around the six corners that Mantine has: it would name every one of them. */}
        <section aria-label="Notifications (F8)">
          <Notifications
            // A container of its own for each toast: in a shared one, the old toast would stay for its farewell.
            key={generation}
            position="bottom-right"
            className={classes.area}
            limit={1}
            autoClose={SHOWN_MS}
            allowDragDismiss={false}
            allowScrollDismiss={false}
            containerWidth={400}
            withinPortal={false}
          />
        </section>
      </Portal>
    </Themed>
  )
}

/** Handlers of an element that goes when it is swiped far enough to the right, and follows the finger until then. */
function swipeRight(dismiss: () => void) {
  let startX: number | null = null
  const moved = (event: PointerEvent<HTMLElement>) => (startX === null ? 0 : Math.max(0, event.clientX - startX))
  return {
    onPointerDown: (event: PointerEvent<HTMLElement>) => {
      if ((event.target as Element).closest('button') !== null) return
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
