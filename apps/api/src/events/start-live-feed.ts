import type { Db } from '@papermoon/db'
import { systemTimers, type Timers } from '@papermoon/engine'
import type { Logger } from 'pino'
import { findDemoWorld } from '../house/demo-world.ts'
import { loadServerKey } from '../security/secret-box.ts'
import { readNews } from './journal.ts'
import { readJournal } from './journal-reader.ts'
import { LiveFeed } from './live-feed.ts'
import { EventStream } from './stream/event-stream.ts'
import { type CursorMarket, EventCursors } from './stream/event-text.ts'
import { WrittenHistory } from './written-history.ts'

const POLL_MS = 1_000
/** Max number of rows of each kind in a read of missing events. */
const MISSING_PAGE = 2_000

interface FeedParts {
  readonly db: Db
  readonly timers?: Timers
  readonly log: Logger
  readonly hasDemoWorld?: boolean
  readonly cursorMarket?: CursorMarket
  readonly bufferedMax?: number
}

/** Starts a feed with its journal poll; `stop` ends the poll. */
export async function startLiveFeed({ timers = systemTimers, ...parts }: FeedParts): Promise<{
  feed: LiveFeed
  stream: EventStream
  history: WrittenHistory
  stop(): Promise<void>
}> {
  const { db, log } = parts
  const world = await findDemoWorld(db)
  const { position, hidden } = await readNews(db)
  const feed: LiveFeed = new LiveFeed({
    log,
    timers,
    position,
    hidden,
    read: async (after, through) => {
      const page = await readJournal(db, { after, through, limit: MISSING_PAGE })
      // Read the blocks first, so that a post written after a block never reaches a blocked viewer.
      if (page.events.some(({ event }) => event.type === 'post')) await stream.readBlocks()
      return page
    },
  })
  const history = new WrittenHistory({ hasDemoWorld: false, ...parts, feed, world })
  const cursors = new EventCursors(await loadServerKey(db, 'event cursors'), parts.cursorMarket)
  const stream = new EventStream({ ...parts, timers, feed, cursors })
  const stopPoll = startJournalPoll({ db, log, timers, feed, stream, history })
  const stop = async () => {
    stream.close()
    await stopPoll()
  }
  return { feed, stream, history, stop }
}

interface PollParts {
  readonly db: Db
  readonly timers: Timers
  readonly log: Logger
  readonly feed: LiveFeed
  readonly stream: Pick<EventStream, 'readBlocks'>
  readonly history: WrittenHistory
}

/**
 * Polls the journal every second for events that nobody published to this node. For example, a node may have crashed
 * before it published the events, or an operator's command may have committed them. Returns a stop function that waits
 * for the current poll.
 */
function startJournalPoll(parts: PollParts): () => Promise<void> {
  let cancelNext = () => {}
  let polling: Promise<void> = Promise.resolve()
  let stopped = false
  const poll = async (): Promise<void> => {
    try {
      await pollOnce(parts)
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
  schedule()
  return async () => {
    stopped = true
    cancelNext()
    await polling
  }
}

async function pollOnce({ db, feed, stream, history }: PollParts): Promise<void> {
  const { position, hidden, playerChanges } = await readNews(db)
  // Update hidden tokens before the events, so that no event of a hidden token is delivered.
  feed.setHidden(hidden)
  feed.setPlayerChanges(playerChanges)
  await stream.readBlocks()
  await history.refresh()
  await feed.moveTo(position)
}
