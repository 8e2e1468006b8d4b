/** Time between two announcements; what comes meanwhile is announced together. */
const EVERY_MS = 6_000

/** Announces items at once, but at most every six seconds: the rest of a rush comes together. */
export interface Announcer<Item> {
  add(item: Item): void
  stop(): void
}

interface Announcing<Item> {
  announce(items: readonly Item[]): void
  /** How long something else still needs the place, in ms. */
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
