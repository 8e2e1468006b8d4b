import type { App } from '../../../context.ts'
import type { Snapshot } from '../../../database/snapshot.ts'
import type { SpanStart } from '../../../players/span-starts.ts'
import { type Begin, findBalance, findGrants, findStakesAt } from './span-store.ts'

/** A trade is committed long before it is this old, so the past before that no longer changes. */
const SETTLED_MS = 3_600_000

/** A player's net worth at a past moment, and what each holding would have paid; exact. */
export async function readSpanStart(
  { clock, spanStarts }: Pick<App, 'clock' | 'spanStarts'>,
  snapshot: Snapshot,
  begin: Begin,
): Promise<SpanStart> {
  const key = `${begin.userId} ${begin.since.getTime()}`
  const cached = spanStarts.get(key)
  if (cached !== undefined) return cached
  const { worth, flow, cashOuts } = await findStakesAt(snapshot, begin)
  const { total, before } = await findGrants(snapshot, begin)
  const balance = (await findBalance(snapshot, begin.userId)).sub(flow).sub(total.sub(before))
  const start = { netWorth: balance.add(worth), cashOuts }
  if (clock.now().getTime() - begin.since.getTime() >= SETTLED_MS) spanStarts.set(key, start)
  return start
}
