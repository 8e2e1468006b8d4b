import type { Db } from '@papermoon/db'
import { withTimeout } from '@papermoon/db'
import { readPosition } from './journal.ts'
import type { LiveFeed } from './live-feed.ts'

/** Positions as text: `1234.56`. */
export interface Seen {
  readonly fairground: number
  readonly fairs: number
}

const WAIT_MAX_MS = 1_000

/** Parses the `Papermoon-Seen` header and ignores invalid parts. */
export function parseSeen(text: string | undefined): Seen {
  const [, fairground = 0, fairs = 0] = /^(\d{1,15})\.(\d{1,15})$/.exec(text ?? '') ?? []
  return { fairground: Number(fairground), fairs: Number(fairs) }
}

export function formatSeen({ fairground, fairs }: Seen): string {
  return `${fairground}.${fairs}`
}

/**
 * Reads events from the journal that the caller knows and this node lacks. Resolves to false if that fails or takes
 * longer than a second. Positions past the journal's end are ignored.
 */
export async function catchUpWithSeen(
  { db, feed }: { readonly db: Db; readonly feed: LiveFeed },
  seen: number,
): Promise<boolean> {
  const catchUp = async () => {
    const wanted = Math.min(seen, await readPosition(db))
    await feed.catchUp(wanted)
    return feed.position >= wanted
  }
  return await withTimeout(catchUp(), WAIT_MAX_MS).catch(() => false)
}
