import { useEffect, useRef, useState } from 'react'
import { BellIcon } from '../../../components/layout/icons.tsx'
import { trpc } from '../../../lib/api/api.ts'
import { useCurrentUser } from '../../../lib/api/current-user.ts'
import { lazyImport, lazyPart } from '../../../lib/boot/lazy-import.ts'
import { followVisits } from '../../../lib/ui/visits.ts'
import classes from './bell.module.css'
import { listNotices, useLiveNotices } from './use-live-notices.ts'

/** Load the code on hover or focus, before the player presses the button. */
const loadDrawer = () => import('./notice-drawer.tsx')
const NoticeDrawer = lazyPart(loadDrawer, 'NoticeDrawer')

const SHOWN_MAX = 99

export function Bell() {
  const [isOpen, setOpen] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  const query = trpc.notices.list.useQuery()
  const unread = (query.data?.unread ?? 0) + (query.data?.unreadNews ?? 0)
  const notices = query.data && listNotices(query.data)
  useLiveNotices(notices)
  const playerId = useCurrentUser()?.id
  useEffect(() => (playerId === undefined ? undefined : followVisits(playerId)), [playerId])
  // Escape also works while the drawer's code is still loading.
  useEffect(() => {
    if (!isOpen) return
    const onKey = ({ key }: KeyboardEvent) => {
      if (key !== 'Escape') return
      setOpen(false)
      button.current?.focus({ preventScroll: true })
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [isOpen])
  return (
    <>
      <button
        ref={button}
        type="button"
        className="icon-button relative"
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        aria-label={unread === 0 ? 'Notifications' : `Notifications, ${unread} unread`}
        onClick={() => setOpen(!isOpen)}
        onPointerEnter={() => void lazyImport(loadDrawer)}
        onFocus={() => void lazyImport(loadDrawer)}
      >
        <BellIcon size={22} strokeWidth={1.9} />
        {unread > 0 && (
          <span className={`round-m text-xs heavy text-center on-moon absolute ${classes.badge}`} aria-hidden="true">
            {unread > SHOWN_MAX ? `${SHOWN_MAX}+` : unread}
          </span>
        )}
      </button>
      {isOpen && <NoticeDrawer query={{ ...query, data: notices }} opener={button} onClose={() => setOpen(false)} />}
    </>
  )
}
