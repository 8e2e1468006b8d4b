import { solText } from '@papermoon/amm'
import { type CreateFairInput, type created, ENTRANTS_MAX, HOSTED_MAX } from '@papermoon/contract/fairs'
import { sql } from 'kysely'
import type { z } from 'zod'
import type { Context } from '../../context.ts'
import { FairRuleError, TooManyFairsError } from '../../fairs/errors.ts'
import { createInvite, hashInvite } from '../../fairs/invite.ts'
import { DAY_MS, MINUTE_MS } from '../../lib/durations.ts'
import type { OrderTerms } from '../../place-order.ts'
import { createSecret } from './bell.ts'
import { getFairFor, insertEntrants } from './enter.ts'
import { lookAtFairs } from './keep-fairs.ts'
import { openFair } from './open-fair.ts'
import { removeOldSandboxes } from './remove-sandboxes.ts'

/** Sandboxes that may be open on one server. */
const SANDBOXES_MAX = 20
/** Open rooms with bots on one server: each bot acts as often as 0.15 times a second, so that all of them make 30 orders a second. */
const ROOMS_WITH_BOTS_MAX = 20
/** The bell of a short fair falls within its last minute. */
const BELL_WINDOW_S = 60
/** Bots launch these tokens where nobody else may, and in a sandbox. */
const HOUSE_TOKENS = 3

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
    const { rows } = await sql<{ mine: number; can_end: boolean; sandboxes: number; rooms_with_bots: number }>`
      select count(*) filter (where host_id = ${userId} and (kind = 'sandbox') = ${kind === 'sandbox'})::int as mine,
             coalesce(bool_or(kind = 'room' or state = 'lobby') filter (where host_id = ${userId}), true) as can_end,
             count(*) filter (where kind = 'sandbox')::int as sandboxes,
             count(*) filter (where kind = 'room' and bots > 0)::int as rooms_with_bots
        from fairs where state in ('lobby', 'open') and coalesce(bell_at > clock_timestamp(), true) and id > 1`.execute(
      tx,
    )
    const { mine = 0, can_end = true, sandboxes = 0, rooms_with_bots = 0 } = rows[0] ?? {}
    if (kind === 'sandbox') {
      if (mine > 0) throw new TooManyFairsError('sandbox', mine)
      if (sandboxes >= SANDBOXES_MAX) throw new TooManyFairsError('sandboxes', null)
    } else if (mine >= HOSTED_MAX) throw new TooManyFairsError('rooms and cups', mine, can_end)
    if (kind === 'room' && bots > 0 && rooms_with_bots >= ROOMS_WITH_BOTS_MAX)
      throw new TooManyFairsError('rooms with bots', null)
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
  // It has nobody to wait for.
  if (kind === 'sandbox') {
    await openFair(app.platform.db, id, { early: true })
    await removeOldSandboxes(app.platform.db, userId)
  }
  lookAtFairs(app)
  return { fair: await getFairFor(app, userId, { id }), invite }
}
