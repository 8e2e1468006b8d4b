import type { Database } from '@papermoon/db'
import type { Kysely } from 'kysely'
import type { Logger } from 'pino'
import { readHeads, readHidden, readSeqs } from './journal.ts'
import { startJournalPoll } from './journal-poll.ts'
import { createLiveFeed, type LiveFeed } from './live-feed.ts'

/** Starts a feed with its journal poll; `stop` ends the poll. */
export async function startLiveFeed(parts: {
  readonly db: Kysely<Database>
  readonly log: Logger
}): Promise<{ feed: LiveFeed; stop(): Promise<void> }> {
  // Heads first: a trade between the two reads is then polled, and dropped if the feed has it already.
  const heads = await readHeads(parts.db)
  const feed = createLiveFeed({ ...parts, seqs: await readSeqs(parts.db), hidden: await readHidden(parts.db) })
  const stop = startJournalPoll({ ...parts, feed, heads })
  return { feed, stop }
}
