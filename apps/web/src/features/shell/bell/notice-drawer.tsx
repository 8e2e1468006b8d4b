import { toNoticeText } from '@papermoon/format/notice-text'
import { Link } from '@tanstack/react-router'
import { type RefObject, useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from 'react'
import { createPortal } from 'react-dom'
import { Fetched, type Query } from '../../../components/feedback/fetched.tsx'
import { Notice as EmptyNotice } from '../../../components/feedback/notice.tsx'
import { Ago } from '../../../components/figures/moment.tsx'
import { cache, type Notice, trpc } from '../../../lib/api/api.ts'
import { serverNow } from '../../../lib/api/server-now.ts'
import { dismissToast } from '../../../lib/ui/toasts.ts'
import classes from './bell.module.css'

interface NoticeDrawerProps {
  readonly query: Query<readonly Notice[]>
  readonly opener: RefObject<HTMLElement | null>
  readonly onClose: () => void
}

const EMOJI = {
  rug: '🧹',
  whale: '🐋',
  top3: '🏅',
  alert: '🔔',
  sticker: '🎟️',
  buyer: '🤝',
  holder: '🎪',
  milestone: '🎉',
  seal: '🔏',
  mention: '💬',
  reply: '↩️',
  reaction: '💛',
  follower: '👋',
  post: '📝',
  moderation: '🧑‍⚖️',
  order: '⏳',
} as const

/** Shows the player's notifications below the bell button, and on phones over the whole width. */
export function NoticeDrawer({ query, opener, onClose }: NoticeDrawerProps) {
  const drawer = useRef<HTMLDivElement>(null)
  useDismissal(drawer, opener, onClose)
  const read = useMarkRead()
  const fresh = useReadWhenShown(query.data, read)
  const close = () => {
    onClose()
    opener.current?.focus({ preventScroll: true })
  }
  return createPortal(
    <div
      ref={drawer}
      className={`stack round-m on-raised edge high-shadow ${classes.drawer}`}
      role="dialog"
      aria-label="Notifications"
      tabIndex={-1}
    >
      <div className="row gap-s p-s-m torn-bottom row-high">
        <h2 className="grow text-xl">Notifications</h2>
        <button type="button" className="icon-button" aria-label="Close" onClick={close}>
          ✕
        </button>
      </div>
      <Fetched
        query={query}
        failure="Could not load your notifications"
        skeleton={null}
        empty={
          <EmptyNotice emoji="🔔" title="Nothing yet" level={3}>
            We notify you here when a token you hold is rugged or a large holder sells it, when someone takes your rank
            in the Top 3, when one of your price alerts is reached, when someone buys your token, and when someone
            replies to you.
          </EmptyNotice>
        }
      >
        {(notices) => (
          <ul className="p-s scrolls">
            {notices.map((notice) => (
              <NoticeRow key={notice.id} notice={notice} isUnread={fresh.has(notice.id)} onOpen={onClose} />
            ))}
          </ul>
        )}
      </Fetched>
      <p className="row touch p-xs-s torn-top text-s">
        <Link to="/settings" search={{ section: 'notifications' }} onClick={onClose}>
          Choose your notifications
        </Link>
      </p>
    </div>,
    document.body,
  )
}

/**
 * Marks notifications as read as soon as they are on the screen. Returns the ids of those that were unread, because
 * these stay highlighted until the panel closes.
 */
function useReadWhenShown(notices: readonly Notice[] | undefined, read: (ids: number[]) => void): ReadonlySet<number> {
  const [fresh, setFresh] = useState<ReadonlySet<number>>(new Set())
  const unread = (notices ?? []).filter(({ id, readAt }) => readAt === null && !fresh.has(id)).map(({ id }) => id)
  const readAll = useEffectEvent(() => {
    setFresh(new Set([...fresh, ...unread]))
    read(unread)
  })
  useEffect(() => {
    if (unread.length > 0) readAll()
  }, [unread.length])
  return fresh
}

function NoticeRow({ notice, isUnread, onOpen }: { notice: Notice; isUnread: boolean; onOpen: () => void }) {
  const { title, body, path } = toNoticeText(notice)
  return (
    <li>
      <Link
        to={path}
        className={`p-s round-s bare hover-sunken grid gap-s ${classes.row}`}
        data-unread={isUnread}
        data-kind={notice.kind}
        onClick={onOpen}
      >
        <span className="emoji text-xl text-center" aria-hidden="true">
          {('sticker' in notice &&
            (notice.sticker?.emoji ?? (notice.quest !== null ? '✅' : notice.windowEnd !== null && '🏆'))) ||
            EMOJI[notice.kind]}
        </span>
        <span className="stack gap-xs fit breaks">
          <span className="bold">
            {isUnread && <span className="visually-hidden">Unread: </span>}
            {notice.token !== null && <span aria-hidden="true">{notice.token.emoji} </span>}
            {title}
          </span>
          <span className="small">{body}</span>
          <span className="small">
            <Ago time={notice.createdAt} />
          </span>
        </span>
      </Link>
    </li>
  )
}

/** Marks notifications as read, first on the page and then on the server. */
function useMarkRead(): (ids: number[]) => void {
  const mutation = trpc.notices.markRead.useMutation({
    meta: { failure: 'Could not mark notifications as read' },
    onError: () => void cache.notices.list.invalidate(),
  })
  return (ids) => {
    const readAt = new Date(serverNow()).toISOString()
    cache.notices.list.setData(undefined, (list) => {
      if (list === undefined) return list
      const mark = <It extends Notice>(it: It) => (ids.includes(it.id) && it.readAt === null ? { ...it, readAt } : it)
      const count = (them: readonly Notice[]) => them.filter((it) => it.readAt === null).length
      const [notices, news] = [list.notices.map(mark), list.news.map(mark)]
      return { notices, unread: count(notices), news, unreadNews: count(news) }
    })
    mutation.mutate({ ids })
  }
}

/**
 * The panel takes the focus when it opens. The panel closes after a press outside it, or when Tab moves the focus out
 * of it.
 */
function useDismissal(
  drawer: RefObject<HTMLElement | null>,
  opener: RefObject<HTMLElement | null>,
  onClose: () => void,
): void {
  const close = useEffectEvent(onClose)
  // Use a layout effect to move the focus before the next key press.
  useLayoutEffect(() => {
    dismissToast()
    drawer.current?.focus({ preventScroll: true })
    void cache.notices.list.invalidate()
    const isOutside = (target: EventTarget | null) =>
      target instanceof Node && !drawer.current?.contains(target) && !opener.current?.contains(target)
    const onPointer = ({ target }: Event) => isOutside(target) && close()
    document.addEventListener('pointerdown', onPointer)
    document.addEventListener('focusin', onPointer)
    return () => {
      document.removeEventListener('pointerdown', onPointer)
      document.removeEventListener('focusin', onPointer)
    }
  }, [drawer, opener])
}
