import { ENTRANTS_MAX } from '@papermoon/contract/fairs'
import type { Db, FairsTable } from '@papermoon/db'
import type { Insertable } from 'kysely'
import { HOUR_MS, MINUTE_MS } from '../../lib/durations.ts'
import { createSecret } from './bell.ts'

const LOBBY_MS = 10 * MINUTE_MS
const ARENA_MS = 15 * MINUTE_MS
export const ARENA_BELL_S = 60
const ARENA_BOTS = 8
export const ARENA_TOKENS = 4
/** The hour in UTC whose arena is a rug night. */
const RUG_NIGHT_HOUR = 20
export const STAKE = '100'

type NewFair = Pick<Insertable<FairsTable>, 'kind' | 'name' | 'bell_window_s' | 'rugs' | 'bots' | 'house_tokens'> & {
  readonly startMs: number
  readonly lengthMs: number
  readonly lobbyMs: number
}

/** Returns the house's arenas that have a lobby or run at a certain time, one per hour. */
export function planFairs(nowMs: number): NewFair[] {
  const hourMs = Math.floor((nowMs + LOBBY_MS) / HOUR_MS) * HOUR_MS
  const arenas = [hourMs, hourMs + HOUR_MS].map((startMs): NewFair => {
    const isRugNight = new Date(startMs).getUTCHours() === RUG_NIGHT_HOUR
    return {
      kind: 'arena',
      name: `${isRugNight ? 'Rug night' : 'Arena'} of ${new Date(startMs).toISOString().slice(11, 16)}`,
      startMs,
      lengthMs: ARENA_MS,
      lobbyMs: startMs - LOBBY_MS,
      bell_window_s: ARENA_BELL_S,
      rugs: isRugNight,
      bots: ARENA_BOTS,
      house_tokens: ARENA_TOKENS,
    }
  })
  return arenas.filter(({ startMs, lengthMs }) => startMs + lengthMs > nowMs)
}

/** Inserts planned fairs that do not exist yet. Several nodes can do this at once. */
export async function scheduleFairs(db: Db, nowMs: number): Promise<void> {
  const plans = planFairs(nowMs)
  const lobbies = plans.map(({ lobbyMs }) => new Date(lobbyMs))
  const known = await db
    .selectFrom('fairs')
    .select(['kind', 'lobby_at'])
    .where('host_id', 'is', null)
    .where('lobby_at', 'in', lobbies)
    .execute()
  const isKnown = ({ kind, lobbyMs }: NewFair) =>
    known.some((fair) => fair.kind === kind && fair.lobby_at.getTime() === lobbyMs)
  // Check first, because every rejected row would use up an id.
  const missing = plans.filter((plan) => !isKnown(plan))
  if (missing.length === 0) return
  const rows = missing.map(
    ({ startMs, lengthMs, lobbyMs, ...fair }): Insertable<FairsTable> => ({
      ...fair,
      stake: STAKE,
      entrants_max: ENTRANTS_MAX,
      secret: createSecret(),
      lobby_at: new Date(lobbyMs),
      starts_at: new Date(startMs),
      ends_at: new Date(startMs + lengthMs),
    }),
  )
  await db
    .insertInto('fairs')
    .values(rows)
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}
