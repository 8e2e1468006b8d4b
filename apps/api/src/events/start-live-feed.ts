import type { Database } from '@papermoon/db'
import type { Kysely } from 'kysely'
import type { Logger } from 'pino'
import { findDemoWorld } from '../house/demo-world.ts'
import { loadServerKey } from '../security/server-key.ts'
import { readHeads, readHidden, readSeqs } from './journal.ts'
import { startJournalPoll } from './journal-poll.ts'
import { createLiveFeed, type LiveFeed } from './live-feed.ts'
import { EventCursors } from './stream/event-cursors.ts'
import { EventStream } from './stream/event-stream.ts'
import { WrittenHistory } from './written-history.ts'

/** Starts a feed with its journal poll; `stop` ends the poll. */
export async function startLiveFeed(parts: {
  readonly db: Kysely<Database>
  readonly log: Logger
  readonly hasDemoWorld?: boolean
}): Promise<{ feed: LiveFeed; stream: EventStream; history: WrittenHistory; stop(): Promise<void> }> {
  // Before the sequence numbers: they then include a history that was written by now.
  const world = await findDemoWorld(parts.db)
  // Heads first: a trade between the two reads is then polled, and dropped if the feed has it already.
  const heads = await readHeads(parts.db)
  const feed = createLiveFeed({ ...parts, seqs: await readSeqs(parts.db), hidden: await readHidden(parts.db) })
  const history = new WrittenHistory({ hasDemoWorld: false, ...parts, feed, world })
  const cursors = new EventCursors(await loadServerKey(parts.db, 'event cursors'))
  const stream = new EventStream({ ...parts, feed, cursors })
  const stopPoll = startJournalPoll({ ...parts, feed, stream, history, heads })
  const stop = async () => {
    stream.close()
    await stopPoll()
  }
  return { feed, stream, history, stop }
}
