import { solText } from '@papermoon/amm'
import { type CreateFairInput, type created, ENTRANTS_MAX, HOSTED_MAX } from '@papermoon/contract/fairs'
import type { Tx } from '@papermoon/db'
import { sql } from 'kysely'
import { LRUCache } from 'lru-cache'
import type { z } from 'zod'
import type { Context } from '../../context.ts'
import { perDatabase } from '../../database/per-database.ts'
import { FairRuleError, TooManyFairsError } from '../../fairs/errors.ts'
import { createInvite, hashInvite } from '../../fairs/invite.ts'
import { DAY_MS, MINUTE_MS } from '../../lib/durations.ts'
import type { OrderTerms } from '../../place-order.ts'
import { toNetworkKey } from '../../security/client-address.ts'
import { createSecret } from './bell.ts'
import { getFairFor, insertEntrants } from './enter.ts'
import { lookAtFairs } from './keep-fairs.ts'
import { openFair, PLACES_MAX } from './open-fair.ts'
import { removeOldSandboxes } from './remove-sandboxes.ts'

/** Shared places that hosts of one network may have, and sandboxes of accounts of the first day. Off with RATE_LIMIT=off. */
const PLACES_OF_NETWORK_MAX = 5
const PLACES_OF_NEW_MAX = 10
/** The bell of a short fair falls within its last minute. */
const BELL_WINDOW_S = 60
/** Bots launch these tokens where nobody else may, and in a sandbox. */
const HOUSE_TOKENS = 3

const IS_GOING_ON = sql`state in ('lobby', 'open') and coalesce(bell_at > clock_timestamp(), true) and id > 1`
const IS_NEW = sql`created_at > clock_timestamp() - interval '1 day'`

/** The networks that fairs were made from, by fair, since this node started. */
const networksOf = perDatabase(() => new LRUCache<number, string>({ max: 1_000 }))

/**
 * Throws `TooManyFairsError` unless a sandbox or a room with bots has a place, and `FairRuleError` for a room with bots of a player's
 * first day: a program has its sandbox at once, and yet new accounts alone cannot take every place.
 */
async function assertPlaceFree(tx: Tx, { app, ip, userId }: Context & OrderTerms, kind: CreateFairInput['kind']) {
  const { rows } = await sql<{ id: number; is_mine: boolean; is_new: boolean }>`
    select f.id, host_id = ${userId} as is_mine, h.is_new from fairs f
      join (select id as host_id, ${IS_NEW} as is_new from users) h using (host_id)
     where ${IS_GOING_ON} and kind = ${kind} and (kind = 'sandbox' or bots > 0)
       and (host_id = ${userId} or state = 'open' or starts_at < clock_timestamp() + interval '1 hour')`.execute(tx)
  const caller = await sql`select from users where id = ${userId} and ${IS_NEW}`.execute(tx)
  const isNew = caller.rows.length > 0
  const what = kind === 'room' ? 'rooms with bots' : 'sandboxes'
  if (kind === 'room' && isNew)
    throw new FairRuleError('A room with bots needs an account that is a day old. Please make it without bots.')
  if (kind === 'room' && rows.some(({ is_mine }) => is_mine)) throw new TooManyFairsError('room with bots', 1)
  if (rows.length >= PLACES_MAX) throw new TooManyFairsError(what, 'server')
  if (!app.platform.config.rateLimit) return
  const networks = networksOf(app.platform)
  const ofNetwork = rows.filter(({ id }) => networks.get(id) === toNetworkKey(ip))
  if (ofNetwork.length >= PLACES_OF_NETWORK_MAX) throw new TooManyFairsError(what, 'network')
  const ofNew = rows.filter(({ is_new }) => is_new)
  if (isNew && ofNew.length >= PLACES_OF_NEW_MAX) throw new TooManyFairsError(`${what} of new accounts`, 'server')
}

/**
 * Makes a room, a cup or a sandbox of the caller's. Throws `TooManyFairsError`, `RateLimitedError`, and `FairRuleError` for a sandbox
 * without an API key.
 */
export async function createFair(ctx: Context & OrderTerms, input: CreateFairInput): Promise<z.output<typeof created>> {
  const { app, userId } = ctx
  const { kind, name, minutes, stake, launches, rugs, lateEntry, depth, bots, speed } = input
  if (kind === 'sandbox' && ctx.apiKey === null) {
    throw new FairRuleError('A sandbox is for programs: make it with an API key that may trade.')
  }
  if (kind !== 'sandbox') await app.accounts.limits.spendAccount(ctx, 'launch-fair', userId)
  // By the database's clock, which says who may enter: this node's may be ahead. A room waits exactly a day for its host.
  const waitMs = kind === 'room' ? DAY_MS : kind === 'cup' ? MINUTE_MS : 0
  const startsAt = input.startsAt ?? sql<Date>`now() + ${waitMs} * interval '1 ms'`
  const invite = kind === 'room' ? createInvite() : null
  const id = await app.platform.db.transaction().execute(async (tx) => {
    // Concurrent calls of all players are counted one after the other.
    await sql`select from fairs where id = 1 for no key update`.execute(tx)
    if (kind === 'sandbox' || bots > 0) await assertPlaceFree(tx, ctx, kind)
    const { rows } = await sql<{ mine: number; can_end: boolean }>`
      select count(*) filter (where (kind = 'sandbox') = ${kind === 'sandbox'})::int as mine,
             coalesce(bool_or(kind = 'room' or state = 'lobby'), true) as can_end
        from fairs where ${IS_GOING_ON} and host_id = ${userId}`.execute(tx)
    const { mine = 0, can_end = true } = rows[0] ?? {}
    if (kind === 'sandbox' && mine > 0) throw new TooManyFairsError('sandbox', mine)
    if (kind !== 'sandbox' && mine >= HOSTED_MAX) throw new TooManyFairsError('rooms and cups', mine, can_end)
    const row = await tx
      .insertInto('fairs')
      .values({
        kind,
        name,
        launches,
        rugs,
        depth,
        bots,
        speed,
        stake: solText(stake),
        late_entry: lateEntry,
        host_id: userId,
        lobby_at: sql<Date>`now()`,
        starts_at: startsAt,
        ends_at: sql<Date>`(${startsAt})::timestamptz + ${minutes} * interval '1 minute'`,
        bell_window_s: kind === 'sandbox' ? 0 : BELL_WINDOW_S,
        secret: createSecret(),
        house_tokens: bots > 0 && (launches === 'nobody' || kind === 'sandbox') ? HOUSE_TOKENS : 0,
        entrants_max: kind === 'sandbox' ? 1 + bots : ENTRANTS_MAX,
        invite_hash: invite === null ? null : hashInvite(invite),
      })
      .returning(['id', 'stake'])
      .executeTakeFirstOrThrow()
    if (kind === 'sandbox') await insertEntrants(tx, row, [userId])
    return row.id
  })
  if (kind === 'sandbox' || bots > 0) networksOf(app.platform).set(id, toNetworkKey(ctx.ip))
  // It has nobody to wait for.
  if (kind === 'sandbox') {
    await openFair(app.platform.db, id, { early: true })
    await removeOldSandboxes(app.platform.db, userId)
  }
  lookAtFairs(app)
  return { fair: await getFairFor(app, userId, { id }), invite }
}
