import { CHARACTERS } from '@papermoon/bots'
import type { Db, Tx } from '@papermoon/db'
import type { UserId } from '@papermoon/engine'
import { sql } from 'kysely'
import { usernameKey } from '../../accounts/username-key.ts'
import { FairRuleError, TooManyFairsError } from '../../fairs/errors.ts'
import { bellMoment } from './bell.ts'
import { insertEntrants } from './enter.ts'
import { isRunningCup, lockFair, lockPools } from './store.ts'

/**
 * Places that all players share: sandboxes that may be open on one server, and open rooms with bots. Each bot acts as often as
 * 0.15 times a second, so that those of all rooms make 30 orders a second.
 */
export const PLACES_MAX = 20
/** Later than this, a fair says that it began late. */
const LATE_MS = 5_000
/** An arena whose start is missed by more does not begin: the next one is near. */
const MISSED_MS = 40 * 60_000

/**
 * Opens trading of a fair whose start is due, or that its host starts early, unless another node has: it lasts as long as planned
 * from now on, and the bell is drawn. Bots of the house enter with it. Throws `TooManyFairsError` for a room with bots that its host
 * starts early while all such rooms are taken.
 */
export async function openFair(db: Db, id: number, { early = false } = {}): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const fair = await lockFair(tx, id)
    if (fair === undefined || fair.state !== 'lobby' || fair.ends_at === null) return
    const { now, starts_at: planned, ends_at: plannedEnd } = fair
    if (now < planned && !early) return
    if (early && fair.kind === 'room' && fair.bots > 0) await assertRoomForBots(tx)
    // One that was planned after its start, such as the season of a new server, is not late.
    const lateMs = now.getTime() - Math.max(planned.getTime(), fair.created_at.getTime())
    if (lateMs > MISSED_MS && fair.kind === 'arena') {
      const note = 'It did not begin: the server was away at its start.'
      await tx.updateTable('fairs').set({ state: 'void', note, settled_at: now }).where('id', '=', id).execute()
      return
    }
    const lasts = plannedEnd.getTime() - planned.getTime()
    // A season ends where the next one begins.
    const endsAt = fair.kind === 'season' ? plannedEnd : new Date(now.getTime() + lasts)
    const note = lateMs > LATE_MS ? `It began ${Math.round(lateMs / 1_000)} seconds late: the server was away.` : null
    await tx
      .updateTable('fairs')
      .set({
        state: 'open',
        note,
        starts_at: now,
        started_at: now,
        seen_at: now,
        ends_at: endsAt,
        bell_at: bellMoment(fair.secret, endsAt, fair.bell_window_s),
      })
      .where('id', '=', id)
      .execute()
    if (fair.bots > 0) await insertEntrants(tx, fair, await drawBots(tx, fair))
  })
}

/** A room whose start nobody knew took no place until now. */
async function assertRoomForBots(tx: Tx): Promise<void> {
  await sql`select from fairs where id = 1 for no key update`.execute(tx)
  const { rows } = await sql`
    select from fairs where kind = 'room' and bots > 0 and state = 'open' and bell_at > clock_timestamp()`.execute(tx)
  if (rows.length >= PLACES_MAX) throw new TooManyFairsError('rooms with bots', 'server')
}

/** Lets bots of the house into a running fair that lacks some: there may have been none at its opening. */
export async function fillBots(db: Db, id: number): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const fair = await lockFair(tx, id)
    if (fair?.state === 'open' && fair.bots > 0) await insertEntrants(tx, fair, await drawBots(tx, fair))
  })
}

const BOT_KEYS = CHARACTERS.map(({ name }) => usernameKey(name))

/** Bots of the house for a fair: the same ones for the same secret. Those that an operator made are run by somebody else. */
export async function drawBots(
  tx: Db,
  { secret, bots }: { readonly secret: Buffer; readonly bots: number },
): Promise<UserId[]> {
  const { rows } = await sql<{ id: UserId }>`
    select id from users where kind = 'house' and standing = 'active' and username_key = any(${BOT_KEYS})
     order by sha256(${secret}::bytea || id::text::bytea) limit ${bots}`.execute(tx)
  return rows.map(({ id }) => id)
}

/**
 * Ends a fair now: nothing trades after this. The job settles it. A fair that has not begun does not count. Throws `FairRuleError`
 * for the host of a running cup.
 */
export async function endFair(tx: Tx, id: number, { byHost = false } = {}): Promise<void> {
  await lockPools(tx, id)
  const fair = await lockFair(tx, id)
  if (fair === undefined || fair.state === 'settled' || fair.state === 'void') return
  if (byHost && isRunningCup(fair)) throw new FairRuleError('A cup that has begun ends at its bell, not by its host.')
  if (fair.state === 'lobby') {
    const note = 'It ended before it began.'
    await tx.updateTable('fairs').set({ state: 'void', note, settled_at: fair.now }).where('id', '=', id).execute()
    return
  }
  const ended = fair.bell_at !== null && fair.bell_at < fair.now ? fair.bell_at : fair.now
  // The planned end stays: who is ranked goes by it.
  await tx.updateTable('fairs').set({ bell_at: ended }).where('id', '=', id).execute()
  await sql`
    update fairs.pools p set closes_at = ${ended} from fairs.tokens t
     where t.fair_id = ${id} and p.token_id = t.id and p.closes_at > ${ended}`.execute(tx)
}
