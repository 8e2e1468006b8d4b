import { createHash, randomBytes } from 'node:crypto'
import { ENTRANTS_MAX } from '@papermoon/contract/fairs'
import type { Db, FairsTable } from '@papermoon/db'
import type { Insertable } from 'kysely'
import { HOUR_MS, MINUTE_MS } from '../../lib/durations.ts'

const LOBBY_MS = 10 * MINUTE_MS
const ARENA_MS = 15 * MINUTE_MS
export const ARENA_BELL_S = 60
const ARENA_BOTS = 8
export const ARENA_TOKENS = 4
/** The hour of the day in UTC at which the arena is a rug night. */
const RUG_NIGHT_HOUR = 20
export const STAKE = '100'

type NewFair = Pick<Insertable<FairsTable>, 'kind' | 'name' | 'bell_window_s' | 'rugs' | 'bots' | 'house_tokens'> & {
  readonly startMs: number
  readonly lengthMs: number
  readonly lobbyMs: number
}

/** Returns the house's arenas that are running or whose lobby is open at a certain time, one per hour. */
export function planFairs(nowMs: number): NewFair[] {
  const hourMs = Math.floor((nowMs + LOBBY_MS) / HOUR_MS) * HOUR_MS
  const arenas = [hourMs, hourMs + HOUR_MS].map((startMs): NewFair => {
    const isRugNight = new Date(startMs).getUTCHours() === RUG_NIGHT_HOUR
    return {
      kind: 'arena',
      name: `${isRugNight ? 'Rug night' : 'Arena'} ${new Date(startMs).toISOString().slice(11, 16)} UTC`,
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

/** Inserts planned fairs that do not exist yet. Several nodes can call this function at once. */
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
  // Check first, because every rejected insert would use up an id.
  const missing = plans.filter((plan) => !isKnown(plan))
  if (missing.length === 0) return
  const rows = missing.map(
    ({ startMs, lengthMs, lobbyMs, ...fair }): Insertable<FairsTable> => ({
      ...fair,
      stake: STAKE,
      entrants_max: ENTRANTS_MAX,
      limits_bots: false,
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

const FRACTION_BYTES = 6
const FRACTIONS = 2 ** (8 * FRACTION_BYTES)

const SECRET_BYTES = 32

/** Creates the secret of a new fair. This secret determines the fair's bell, bots and tokens. */
export function createSecret(): Buffer {
  return randomBytes(SECRET_BYTES)
}

/**
 * Computes the end of trading from the fair's secret: a time in the last `windowS` seconds before `endsAt`. Nobody
 * knows the time of the bell in advance, but anyone can check it afterwards. The first 48 bits of the hash, read as a
 * fraction below 1, choose the time.
 */
export function bellMoment(secret: Uint8Array, endsAt: Date, windowS: number): Date {
  const fraction =
    createHash('sha256').update('papermoon bell\n').update(secret).digest().readUIntBE(0, FRACTION_BYTES) / FRACTIONS
  return new Date(Math.floor(endsAt.getTime() - windowS * 1000 * fraction))
}

/** Returns the hash of a secret that is published at the start: SHA-256 in hex. */
export function commitOf(secret: Uint8Array): string {
  return createHash('sha256').update(secret).digest('hex')
}
