import { isFairToken } from '@papermoon/contract/fair-tokens'
import { useEffect, useRef } from 'react'
import { cache, client, type Notice, type NoticeList } from '../../../lib/api/api.ts'
import { useFeed } from '../../../lib/live/follow.ts'
import { latestToast, showToast } from '../../../lib/ui/toasts.ts'

/** Max number of notifications in the list. The server has the same limit. */
const NOTICES_MAX = 100
/**
 * How long a toast stays visible before a notification may replace it, in ms. The visible toast may contain the result
 * of an order.
 */
const TOAST_MS = 5_000

/** Returns notifications and news about the player's own tokens, newest first. */
export function listNotices({ notices, news }: Pick<NoticeList, 'notices' | 'news'>): Notice[] {
  return [...notices, ...news].sort((one, other) => other.id - one.id)
}

/** Adds new notifications to the list and shows them in a toast. The feed starts where the loaded list ends. */
export function useLiveNotices(list: readonly Notice[] | undefined): void {
  const announcer = useRef<Announcer<Notice>>(null)
  useEffect(() => {
    announcer.current = createAnnouncer<Notice>({
      // Load the toast texts lazily, because no first load needs them.
      announce: (notices) =>
        void import('./to-toast.ts').then(
          ({ toToast }) => showToast(toToast(notices)),
          () => {},
        ),
      getWait: () => (latestToast()?.askedAtMs ?? -TOAST_MS) + TOAST_MS - performance.now(),
    })
    return () => announcer.current?.stop()
  }, [])
  useFeed<Notice>(list === undefined ? null : 'notices', {
    subscribe: ({ notices }, handlers, lastEventId) => notices.live.subscribe({ lastEventId, news: true }, handlers),
    onData: (notice) => {
      const isSeen = isOnScreen(notice)
      const added = isSeen ? { ...notice, readAt: notice.createdAt } : notice
      cache.notices.list.setData(undefined, (known) => known && addNotice(known, added))
      if (isSeen) client.notices.markRead.mutate({ ids: [notice.id] }).catch(() => {})
      if (notice.kind === 'alert') void cache.alerts.list.invalidate()
      if (notice.kind === 'whale') void import('../../../lib/ui/sound.ts').then(({ playWhale }) => playWhale())
      if (notice.kind === 'sticker') void cache.stickers.list.invalidate()
      if (isOfFair(notice)) void cache.fairs.list.invalidate()
      if (!isSeen && !isDuringGame(notice)) announcer.current?.add(notice)
    },
    from: String(list?.[0]?.id ?? 0),
  })
}

/**
 * Returns whether the page shows what the notification says. For example, a fair's own page shows its start and its results.
 */
function isOnScreen(notice: Notice): boolean {
  return isOfFair(notice) && !document.hidden && location.pathname === `/fairs/${notice.fair?.id}`
}

/** Returns whether news about the main market would cover a game. Such news is only in the list of notifications. */
function isDuringGame({ kind }: Notice): boolean {
  const [, screen, id] = location.pathname.split('/')
  const isGame = screen === 'fairs' || screen === 'tape' || (screen === 'token' && isFairToken(Number(id)))
  return isGame && ['buyer', 'holder', 'milestone'].includes(kind)
}

function isOfFair(notice: Notice): notice is NoticeList['news'][number] {
  return isNews(notice) && notice.fair !== null && notice.post === null
}

function isNews(notice: Notice): notice is NoticeList['news'][number] {
  return 'sticker' in notice
}

/**
 * Returns the list with a new notification added. If the list already contains the notification, returns the same list.
 */
export function addNotice(list: NoticeList, notice: Notice): NoticeList {
  if (listNotices(list).some(({ id }) => id === notice.id)) return list
  const unread = notice.readAt === null ? 1 : 0
  return isNews(notice)
    ? { ...list, news: [notice, ...list.news].slice(0, NOTICES_MAX), unreadNews: list.unreadNews + unread }
    : { ...list, notices: [notice, ...list.notices].slice(0, NOTICES_MAX), unread: list.unread + unread }
}

/** Min time between two announcements, in ms. Notifications that arrive in between are announced together. */
const EVERY_MS = 6_000

/**
 * Announces notifications at once, but at most every six seconds. Notifications that arrive in between are announced
 * together.
 */
interface Announcer<Item> {
  add(item: Item): void
  stop(): void
}

interface Announcing<Item> {
  announce(items: readonly Item[]): void
  /** Returns how long the current toast must remain visible, in ms. */
  getWait(): number
  readonly everyMs?: number
}

export function createAnnouncer<Item>({ announce, getWait, everyMs = EVERY_MS }: Announcing<Item>): Announcer<Item> {
  let waiting: Item[] = []
  let timer: ReturnType<typeof setTimeout> | null = null
  const flush = () => {
    timer = null
    if (waiting.length === 0) return
    const wait = getWait()
    timer = setTimeout(flush, wait > 0 ? wait : everyMs)
    if (wait > 0) return
    announce(waiting.splice(0))
  }
  return {
    add: (item) => {
      waiting.push(item)
      if (timer === null) flush()
    },
    stop: () => {
      waiting = []
      if (timer !== null) clearTimeout(timer)
    },
  }
}
