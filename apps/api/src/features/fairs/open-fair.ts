import { CHARACTERS } from '@papermoon/bots'
import type { Db, Tx } from '@papermoon/db'
import type { UserId } from '@papermoon/engine'
import { sql } from 'kysely'
import { usernameKey } from '../account/public.ts'
import { lockPosition, notifyPlayers } from '../notices/public.ts'
import { insertEntrants } from './enter.ts'
import { FairRuleError, TooManyFairsError } from './errors.ts'
import { bellMoment } from './schedule.ts'
import { isRunningCup, lockFair, lockPools } from './store.ts'

/** How late a fair may start in ms before the delay is recorded. */
const LATE_MS = 5_000

/** How late an arena may start, in ms. After that, it does not start any more, because the next one starts soon. */
const MISSED_MS = 40 * 60_000

/**
 * Max number of sandboxes on a server. The same limit applies to rooms with bots, and to quick arenas. Each bot acts at
 * most 0.15 times a second, so bots place at most 30 orders a second in all rooms, and 21 in quick arenas.
 */
const FAIRS_MAX = 20

/**
 * Max number of sandboxes, rooms with bots or quick arenas per network. All new accounts together have the same limit
 * for sandboxes.
 */
const FAIRS_OF_NETWORK_MAX = 5

const PLACES_OF_NEW_MAX = 10

/**
 * Starts a fair that is due or whose host starts it early, unless another node already started it. The fair lasts as
 * long as planned. At the start, the server draws the time of the bell, and house bots enter. If the server has too
 * many fairs of this kind, a room that is due starts without bots. An early start, or the start of a sandbox, throws
 * `TooManyFairsError` in that case.
 */
export async function openFair(tx: Tx, id: number, { early = false } = {}): Promise<void> {
  const fair = await lockFair(tx, id)
  if (fair === undefined || fair.state !== 'lobby' || fair.ends_at === null) return
  const { now, starts_at: planned, ends_at: plannedEnd } = fair
  if (now < planned && !early) return
  const needsPlace = fair.kind === 'sandbox' || (fair.kind === 'room' && fair.bots > 0)
  const full = needsPlace ? await findFullShare(tx, fair, !early) : null
  if (full !== null && early) throw new TooManyFairsError(full)
  // A fair that was created after its planned start is not late. For example, this is the season on a new server.
  const lateMs = now.getTime() - Math.max(planned.getTime(), fair.created_at.getTime())
  if (lateMs > MISSED_MS && fair.kind === 'arena') {
    const note = 'This fair did not start, because the server was down at its start time.'
    await tx.updateTable('fairs').set({ state: 'void', note, settled_at: now }).where('id', '=', id).execute()
    return
  }
  const lasts = plannedEnd.getTime() - planned.getTime()
  // A season ends when the next one begins.
  const endsAt = fair.kind === 'season' ? plannedEnd : new Date(now.getTime() + lasts)
  const late =
    lateMs > LATE_MS
      ? `This fair started ${Math.round(lateMs / 1_000)} seconds late, because the server was down.`
      : null
  const note = full === null ? late : 'This fair started without bots, because the server had too many rooms with bots.'
  const bots = full === null ? fair.bots : 0
  await tx
    .updateTable('fairs')
    .set({
      state: 'open',
      note,
      bots,
      starts_at: now,
      started_at: now,
      seen_at: now,
      ends_at: endsAt,
      bell_at: bellMoment(fair.secret, endsAt, fair.bell_window_s),
    })
    .where('id', '=', id)
    .execute()
  if (fair.kind !== 'sandbox' && !fair.is_quick) await notifyWaiting(tx, id)
  if (bots > 0) await insertEntrants(tx, fair, await drawBots(tx, fair))
}

/** Notifies the players in the lobby that trading has begun. */
async function notifyWaiting(tx: Tx, fairId: number): Promise<void> {
  const { rows } = await sql<{ readonly userId: UserId }>`
    select user_id as "userId" from fairs.accounts where fair_id = ${fairId}`.execute(tx)
  const same = { kind: 'mention', tokenId: null, actorId: null, seq: null, detail: { fairId } } as const
  await lockPosition(tx)
  await notifyPlayers(
    tx,
    rows.map(({ userId }) => ({ ...same, userId, key: `start ${fairId} ${userId}` })),
  )
}

/** Adds house bots to a running fair that lacks some, because none may have existed at its start. */
export async function fillBots(db: Db, id: number): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const fair = await lockFair(tx, id)
    if (fair?.state === 'open' && fair.bots > 0) await insertEntrants(tx, fair, await drawBots(tx, fair))
  })
}

const BOT_KEYS = CHARACTERS.map(({ name }) => usernameKey(name))

/** Selects a fair's house bots by the fair's secret, so that every node selects the same bots. */
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
 * Ends a fair now. From now on, nobody can trade in the fair, and a job computes the results. A fair that has not
 * started yet becomes void. Throws `FairRuleError` for the host of a running cup.
 */
export async function endFair(tx: Tx, id: number, { byHost = false } = {}): Promise<void> {
  await lockPools(tx, id)
  const fair = await lockFair(tx, id)
  if (fair === undefined || fair.state === 'settled' || fair.state === 'void') return
  if (byHost && isRunningCup(fair)) throw new FairRuleError('A cup that has begun ends only at its bell.')
  if (fair.state === 'lobby') {
    await tx
      .updateTable('fairs')
      .set({ state: 'void', note: 'This fair was cancelled before it started.', settled_at: fair.now, made_from: null })
      .where('id', '=', id)
      .execute()
    return
  }
  const ended = fair.bell_at !== null && fair.bell_at < fair.now ? fair.bell_at : fair.now
  // Keep the planned end, because it decides which players are ranked.
  await tx.updateTable('fairs').set({ bell_at: ended }).where('id', '=', id).execute()
  await sql`
    update fairs.pools p set closes_at = ${ended} from fairs.tokens t
     where t.fair_id = ${id} and p.token_id = t.id and p.closes_at > ${ended}`.execute(tx)
}

/**
 * Returns the limit that forbids another sandbox, room with bots or quick arena; null if no limit does. An upcoming
 * room counts against the limit from an hour before its start. A room always starts when it is due. If rate limits are
 * off, networks are unknown, so only the server's limit applies.
 */
export async function findFullShare(tx: Tx, fair: { id: number; kind: string }, isDue = false): Promise<string | null> {
  // Lock the fairground's row, so that only one node at a time checks the limits.
  await sql`select from fairs where id = 1 for no key update`.execute(tx)
  const { rows } = await sql<{ taken: number; by_network: number; by_new: number }>`
    select count(*)::int as taken, count(*) filter (where other.made_from = f.made_from)::int as by_network,
           count(*) filter (where f.made_from is not null
             and least(host.created_at, other_host.created_at) > clock_timestamp() - interval '1 day')::int as by_new
      from fairs f join users host on host.id = f.host_id
        join fairs other on other.kind = f.kind and other.id <> f.id and (other.kind = 'sandbox' or other.bots > 0)
        join users other_host on other_host.id = other.host_id
     where f.id = ${fair.id} and coalesce(other.bell_at > clock_timestamp(), true) and (other.state = 'open'
       or (other.state = 'lobby' and ${!isDue} and other.starts_at < clock_timestamp() + interval '1 hour'))`.execute(
    tx,
  )
  const { taken = 0, by_network = 0, by_new = 0 } = rows[0] ?? {}
  const what = { room: 'rooms with bots', arena: 'quick arenas' }[fair.kind] ?? 'open sandboxes'
  const retry = 'Please try again when one of them has ended.'
  if (taken >= FAIRS_MAX) return `This server already has ${FAIRS_MAX} ${what}, which is the maximum. ${retry}`
  if (by_network >= FAIRS_OF_NETWORK_MAX)
    return `Your network already has ${FAIRS_OF_NETWORK_MAX} ${what}, which is the maximum. ${retry}`
  if (by_new >= PLACES_OF_NEW_MAX)
    return `New accounts already have ${PLACES_OF_NEW_MAX} ${what} on this server, which is the maximum. ${retry}`
  return null
}
