import type { Database } from '@papermoon/db'
import type { Kysely } from 'kysely'
import type { Logger } from 'pino'
import { type JournalHeads, readDeleted, readHeads, readHidden, readLaunches, readMovedSeqs } from './journal.ts'
import type { LiveFeed } from './live-feed.ts'

const POLL_MS = 1_000
/**
 * Ids are committed out of order, so each poll reads again from heads that every writer of a lower id has ended since: the engine
 * takes ids under row locks, so with a transaction number. A transaction that stays open keeps those heads for this long at
 * most, which is longer than a batch can take between its ids and its commit: four statements of ten seconds each (launches,
 * rug pulls, the batch, the commit).
 */
const OVERLAP_MS = 45_000
/** Rug pulls have no ids to go by, only the time of the node that did them: its clock may be as wrong as that. */
const CLOCKS_DIFFER_MAX_MS = 2 * 3_600_000

interface PollParts {
  readonly db: Kysely<Database>
  readonly feed: LiveFeed
  readonly log: Logger
  /** The journal's heads from before the feed's own start: nothing after them is missed. */
  readonly heads: JournalHeads
}

/**
 * Looks into the journal once a second for what nobody published: a crash before publishing, another node, an operator's
 * command, such as one that hides a token. Returns the way to stop it, which waits for a poll under way.
 */
export function startJournalPoll(parts: PollParts): () => Promise<void> {
  const history: DatedHeads[] = [{ ...parts.heads, atMs: performance.now() }]
  let timer: NodeJS.Timeout | undefined
  let polling: Promise<void> = Promise.resolve()
  let stopped = false
  const poll = async (): Promise<void> => {
    try {
      await pollOnce(parts, history)
    } catch (error) {
      parts.log.warn({ err: error }, 'the journal could not be polled')
    }
    if (!stopped) schedule()
  }
  const schedule = (): void => {
    timer = setTimeout(() => {
      polling = poll()
    }, POLL_MS)
  }
  schedule()
  return async () => {
    stopped = true
    clearTimeout(timer)
    await polling
  }
}

type DatedHeads = JournalHeads & { readonly atMs: number }

async function pollOnce({ db, feed }: PollParts, history: DatedHeads[]): Promise<void> {
  const nowMs = performance.now()
  // Before the launches: a token that is hidden already is never told of.
  feed.setHidden(await readHidden(db))
  feed.setDeleted(await readDeleted(db))
  // The heads are read first: what commits after them is above them, or was written by a transaction that was under way.
  const heads = { ...(await readHeads(db)), atMs: nowMs }
  const from = history[0] ?? heads
  feed.publish(await readLaunches(db, from.tokenId))
  const since = new Date(Date.now() - CLOCKS_DIFFER_MAX_MS)
  for (const { tokenId, seq } of await readMovedSeqs(db, { afterTradeId: from.tradeId, since }))
    feed.catchUp(tokenId, seq)
  history.push(heads)
  while (history[1] !== undefined && isSettled(history[1], heads)) history.shift()
}

/** Whether nothing below these heads was still to be committed when the later ones were read. */
function isSettled(heads: DatedHeads, later: DatedHeads): boolean {
  return heads.transaction <= later.oldestRunning || heads.atMs < later.atMs - OVERLAP_MS
}
