import type { Db } from '@papermoon/db'
import { withTimeout } from '@papermoon/db'
import { readPosition } from './journal.ts'
import type { LiveFeed } from './live-feed.ts'

/** The positions that a caller has seen, in the fairground and in the fairs; 0: none. As text: `1234.56`. */
export interface Seen {
  readonly fairground: number
  readonly fairs: number
}

const WAIT_MAX_MS = 1_000

/** Ignores what cannot be read. */
export function parseSeen(text: string | undefined): Seen {
  const [, fairground = 0, fairs = 0] = /^(\d{1,15})\.(\d{1,15})$/.exec(text ?? '') ?? []
  return { fairground: Number(fairground), fairs: Number(fairs) }
}

export function formatSeen({ fairground, fairs }: Seen): string {
  return `${fairground}.${fairs}`
}

/**
 * Reads what a caller has seen and this node lacks from the journal. Resolves to false if that fails or takes longer than a second.
 * A claim is believed only as far as the journal goes.
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
