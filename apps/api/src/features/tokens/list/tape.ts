import { toTrade } from '@papermoon/engine'
import type { CachedQuery } from '../../../cache/query-cache.ts'
import type { App } from '../../../context.ts'
import { TAPE_MAX, type TapeEntry, tape } from '../schemas.ts'
import { findTape, type TapeRow } from './tape-store.ts'

const tapeQuery: CachedQuery<null, TapeEntry[]> = {
  name: 'tape',
  schema: tape,
  key: () => '',
  weight: () => TAPE_MAX,
  scope: () => 'market',
  isFresh: () => true,
  // An event does not tell its token's name, and the read is a cheap one.
  applyEvents: (entries, events) => ({ data: entries, stale: events.some((event) => event.type === 'trade') }),
}

/** The newest trades of the whole market with their tokens, newest first, at most 20. */
export async function latestTape(app: App): Promise<TapeEntry[]> {
  return await app.queryCache.get(tapeQuery, null, async () => (await findTape(app.db, TAPE_MAX)).map(entryOf))
}

function entryOf(row: TapeRow): TapeEntry {
  return { ...toTrade(row), tokenName: row.name, tokenSymbol: row.symbol, emoji: row.emoji }
}
