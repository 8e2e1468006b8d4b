import type { FairEvent } from '@papermoon/contract/market-events'
import type { Db } from '@papermoon/db'
import { systemTimers, type Timers } from '@papermoon/engine'
import type { Logger } from 'pino'
import { findDemoWorld } from '../house/demo-world.ts'
import { loadServerKey } from '../security/server-key.ts'
import { readPostEvents } from '../talk/read-posts.ts'
import {
  type JournalHeads,
  readFairMoments,
  readLaunches,
  readMovedSeqs,
  readNews,
  readOrderEvents,
  readSeals,
  readSeqs,
} from './journal.ts'
import { LiveFeed } from './live-feed.ts'
import { SettledHeads } from './settled-heads.ts'
import { type CursorMark, EventCursors } from './stream/event-cursors.ts'
import { EventStream } from './stream/event-stream.ts'
import { WrittenHistory } from './written-history.ts'

const POLL_MS = 1_000

/** Starts a feed with its journal poll; `stop` ends the poll. */
export async function startLiveFeed({
  timers = systemTimers,
  ...parts
}: {
  readonly db: Db
  readonly timers?: Timers
  readonly log: Logger
  readonly hasDemoWorld?: boolean
  readonly cursorMark?: CursorMark
  readonly keptMax?: number
}): Promise<{ feed: LiveFeed; stream: EventStream; history: WrittenHistory; stop(): Promise<void> }> {
  // Before the sequence numbers: they then include a history that was written by now.
  const world = await findDemoWorld(parts.db)
  // Heads first: a trade between the two reads is then polled, and dropped if the feed has it already.
  const { heads, hidden } = await readNews(parts.db)
  const feed = new LiveFeed({ ...parts, seqs: await readSeqs(parts.db), hidden })
  const history = new WrittenHistory({ hasDemoWorld: false, ...parts, feed, world })
  const cursors = new EventCursors(await loadServerKey(parts.db, 'event cursors'), parts.cursorMark)
  const stream = new EventStream({ ...parts, timers, feed, cursors })
  const stopPoll = startJournalPoll({ ...parts, timers, feed, stream, history, heads })
  const stop = async () => {
    stream.close()
    await stopPoll()
  }
  return { feed, stream, history, stop }
}

interface PollParts {
  readonly db: Db
  readonly timers: Timers
  readonly feed: LiveFeed
  readonly stream: Pick<EventStream, 'add' | 'mark' | 'readBlocks' | 'settle'>
  readonly log: Logger
  readonly history: WrittenHistory
  /** Journal heads read before the feed started, so that no later event is missed. */
  readonly heads: JournalHeads
}

/**
 * Polls the journal every second for events that were not published to this node: after a crash before publishing, of
 * another node, or of an operator's command. Returns a stop function that waits for the current poll.
 */
export function startJournalPoll(parts: PollParts): () => Promise<void> {
  const state: PollState = { journal: new SettledHeads(), missing: new Map(), moments: new Map() }
  let cancelNext = () => {}
  let polling: Promise<void> = Promise.resolve()
  let stopped = false
  const poll = async (): Promise<void> => {
    try {
      await pollOnce(parts, state)
    } catch (error) {
      parts.log.warn({ err: error }, 'the journal could not be polled')
    }
    if (!stopped) schedule()
  }
  const schedule = (): void => {
    cancelNext = parts.timers.after(POLL_MS, () => {
      polling = poll()
    })
  }
  // At once: listeners that resume wait for the first place that nothing can be written below.
  polling = poll()
  return async () => {
    stopped = true
    cancelNext()
    await polling
  }
}

interface PollState {
  /** Each poll starts at the settled heads. */
  readonly journal: SettledHeads<JournalHeads & { readonly mark: number }>
  /** Tokens with events that were found and could not be delivered yet, and their last sequence numbers. */
  readonly missing: Map<number, number>
  /** Moments of fairs above the settled heads by place: null once they were delivered. */
  readonly moments: Map<number, FairEvent | null>
}

async function pollOnce(
  { db, timers, feed, stream, history, heads: first }: PollParts,
  state: PollState,
): Promise<void> {
  const { journal, missing, moments } = state
  const mark = stream.mark()
  const readMs = timers.monotonic()
  // Heads first: later commits are above them, or belong to a transaction that was open.
  const news = await readNews(db)
  const heads = { ...news.heads, mark }
  // Before the launches, so that a token hidden already is never delivered.
  feed.setHidden(news.hidden)
  feed.setPlayerChanges(news.playerChanges)
  const from = journal.settled ?? first
  // All up to settled heads is known, so nothing new is below them.
  const launches = heads.tokenId > from.tokenId ? await readLaunches(db, { after: from.tokenId }) : []
  const hasMoved = heads.entry > from.entry
  // Before the trades: all those before a fair's end are then among them.
  for (const { place, event } of hasMoved ? await readFairMoments(db, { after: from.entry }) : [])
    if (!moments.has(place)) moments.set(place, event)
  const moved = hasMoved ? await readMovedSeqs(db, from.entry) : []
  const seals = hasMoved ? await readSeals(db, { after: from.entry }) : []
  const posts = hasMoved ? await readPostEvents(db, { after: from.entry }) : []
  const orders = hasMoved ? await readOrderEvents(db, { after: from.entry }) : []
  // After the posts were read, so that one written after a block is never delivered across it.
  await stream.readBlocks()
  // After both reads: if they include a history, it is complete by now and is adopted instead of delivered.
  await history.refresh()
  feed.publish(launches.map(({ event }) => event))
  for (const { tokenId, seq } of moved) missing.set(tokenId, Math.max(seq, missing.get(tokenId) ?? 0))
  // Those of earlier polls too: one that could not be read may be below the settled heads by now.
  await Promise.all([...missing].map(([tokenId, seq]) => feed.catchUp(tokenId, seq)))
  feed.publish(seals.map(({ event }) => event))
  feed.publishPosts(posts)
  feed.publishOrders(orders)
  journal.note(heads, readMs)
  for (const [tokenId, seq] of missing) if (feed.hasDelivered(tokenId, seq)) missing.delete(tokenId)
  if (missing.size > 0) return
  for (const [place, event] of moments) {
    if (event !== null) stream.add(event)
    if (place <= from.entry) moments.delete(place)
    else moments.set(place, null)
  }
  if (journal.settled !== null) stream.settle(journal.settled, journal.settled.mark)
}
