import { toTrade } from '@papermoon/engine'
import type { ReadingKind } from '../../../cache/query-cache.ts'
import type { App } from '../../../context.ts'
import { TAPE_MAX, type TapeEntry, tape } from '../schemas.ts'
import { findTape, type TapeRow } from './tape-store.ts'

const tapeReading: ReadingKind<null, TapeEntry[]> = {
  name: 'tape',
  schema: tape,
  key: () => '',
  weigh: () => TAPE_MAX,
  follows: () => 'market',
  isGood: () => true,
  // An event does not tell its token's name, and the read is a cheap one.
  catchUp: (entries, events) => ({ data: entries, stale: events.some((event) => event.type === 'trade') }),
}

/** The newest trades of the whole market with their tokens, newest first, at most 20. */
export async function latestTape(app: App): Promise<TapeEntry[]> {
  return await app.readings.get(tapeReading, null, async () => (await findTape(app.db, TAPE_MAX)).map(entryOf))
}

function entryOf(row: TapeRow): TapeEntry {
  return { ...toTrade(row), tokenName: row.name, tokenSymbol: row.symbol, emoji: row.emoji }
}
