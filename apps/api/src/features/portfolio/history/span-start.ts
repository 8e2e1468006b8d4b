import type { Sol } from '@papermoon/amm'
import type { TokenId } from '@papermoon/engine'
import { LRUCache } from 'lru-cache'
import type { AppPart } from '../../../context.ts'
import { perDatabase } from '../../../database/per-database.ts'
import type { Snapshot } from '../../../database/snapshot.ts'
import { type Begin, findBalance, findGrants, findStakesAt } from './span-store.ts'

/** Age in ms from which the past no longer changes, because trades are committed long before that. */
const SETTLED_MS = 3_600_000
/** Max number of tokens in all cached entries together. */
const TOKENS_MAX = 100_000

/** A player's worth at the start of a period. */
interface SpanStart {
  readonly netWorth: Sol
  /** Cash-out value of each token held then, without zeros. */
  readonly cashOuts: ReadonlyMap<TokenId, Sol>
}

/** Cached by player and time. The past never changes, and an open portfolio page reads it after every trade. */
const getSpanStarts = perDatabase(
  () => new LRUCache<string, SpanStart>({ maxSize: TOKENS_MAX, sizeCalculation: ({ cashOuts }) => 1 + cashOuts.size }),
)

/** Reads a player's exact net worth at a past time, and each holding's cash-out value then. */
export async function readSpanStart(
  app: AppPart<'db' | 'clock'>,
  snapshot: Snapshot,
  begin: Begin,
): Promise<SpanStart> {
  const spanStarts = getSpanStarts(app.platform)
  const key = `${begin.userId} ${begin.since.getTime()}`
  const cached = spanStarts.get(key)
  if (cached !== undefined) return cached
  const { worth, flow, cashOuts } = await findStakesAt(snapshot, begin)
  const { total, before } = await findGrants(snapshot, begin)
  const balance = (await findBalance(snapshot, begin.userId)).sub(flow).sub(total.sub(before))
  const start = { netWorth: balance.add(worth), cashOuts }
  if (app.platform.clock.now().getTime() - begin.since.getTime() >= SETTLED_MS) spanStarts.set(key, start)
  return start
}
