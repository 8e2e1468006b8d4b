import { createHmac } from 'node:crypto'
import { solText } from '@papermoon/amm'
import { type CreateFairInput, type created, ENTRANTS_MAX, type Fair, HOSTED_MAX } from '@papermoon/contract/fairs'
import type { Tx } from '@papermoon/db'
import type { UserId } from '@papermoon/engine'
import { sql } from 'kysely'
import type { z } from 'zod'
import type { OrderTerms } from '../../caller.ts'
import type { Context } from '../../context.ts'
import { DAY_MS, MINUTE_MS } from '../../lib/durations.ts'
import { toNetworkKey } from '../../security/client-address.ts'
import type { Counted } from '../../security/rate-limits.ts'
import { loadServerKey } from '../../security/secret-box.ts'
import { createInvite, findQuickArena, getFairFor, hashInvite, insertEntrants } from './enter.ts'
import { FairRuleError, TooManyFairsError } from './errors.ts'
import { checkFairs } from './keep-fairs.ts'
import { drawBots, findFullShare, openFair } from './open-fair.ts'
import { ARENA_BELL_S, ARENA_TOKENS, createSecret, STAKE } from './schedule.ts'

/** Length of the period in which the bell of a short fair rings, in seconds. */
const BELL_WINDOW_S = 60

/** Number of tokens that bots launch in a sandbox, or in a room where players cannot launch tokens. */
export const HOUSE_TOKENS = 3
/** Number of tokens that bots launch in a room where all players can launch more. */
const FIRST_TOKENS = 2

/** Throws `TooManyFairsError` if the host has too many fairs. */
async function assertMayHost(tx: Tx, { userId }: Host, { kind, bots }: CreateFairInput): Promise<void> {
  const { rows } = await sql<{ mine: number; with_bots: number; can_end: boolean }>`
    select count(*) filter (where (kind = 'sandbox') = ${kind === 'sandbox'})::int as mine,
           count(*) filter (where kind = 'room' and bots > 0)::int as with_bots,
           coalesce(bool_or(kind = 'room' or state = 'lobby'), true) as can_end
      from fairs
     where state in ('lobby', 'open') and coalesce(bell_at > clock_timestamp(), true) and host_id = ${userId}
       and not is_quick`.execute(tx)
  const { mine = 0, with_bots = 0, can_end = true } = rows[0] ?? {}
  const refuse = (what: string, advice = 'Please end one of your fairs first.') => {
    throw new TooManyFairsError(`You already host ${what}. ${advice}`)
  }
  if (kind === 'room' && bots > 0 && with_bots > 0) refuse('1 room with bots')
  if (kind === 'sandbox' && mine > 0) refuse(`${mine} sandbox`)
  if (kind !== 'sandbox' && mine >= HOSTED_MAX)
    refuse(
      `${mine} rooms and cups`,
      can_end ? undefined : 'A cup that has started ends only at its bell. Please wait for one of your cups to end.',
    )
}

/**
 * Creates a room, a cup or a sandbox for the caller. Throws `TooManyFairsError`, `RateLimitedError`, and
 * `FairRuleError` for a sandbox without an API key.
 */
export async function createFair(ctx: Context & OrderTerms, input: CreateFairInput): Promise<z.output<typeof created>> {
  const { app, userId } = ctx
  if (input.kind === 'sandbox' && ctx.apiKey === null) {
    throw new FairRuleError('A sandbox is for programs. Create it with an API key that can trade.')
  }
  if (input.kind !== 'sandbox') await app.accounts.limits.spendAccount(ctx, 'hourly', toNewFairs(userId))
  const invite = input.kind === 'room' ? createInvite() : null
  const host = { userId, invite, madeFrom: await hashNetwork(ctx) }
  const id = await app.platform.db.transaction().execute((tx) => insertFair(tx, host, input))
  checkFairs(app)
  return { fair: await getFairFor(app, userId, { id }), invite }
}

/** Allow at most 10 rooms and cups an hour, because cups are listed publicly. */
export function toNewFairs(userId: UserId): Counted {
  return { key: `new fairs ${userId}`, most: 10 }
}

interface Host {
  readonly userId: UserId
  readonly invite: string | null
  readonly madeFrom: Buffer | null
  /** Id of the room of which this room is a rematch. */
  readonly rematchOf?: number
}

/**
 * Inserts a new fair and returns its id. The host enters the fair, unless it is a cup. Throws `TooManyFairsError`.
 */
export async function insertFair(tx: Tx, host: Host, input: CreateFairInput): Promise<number> {
  const { kind, name, minutes, stake, launches, rugs, lateEntry, depth, bots, speed } = input
  // Use the database's clock, because the same clock decides who can enter, and this node's clock may be fast. A room
  // waits exactly one day for its host to start it.
  const waitMs = kind === 'room' ? DAY_MS : kind === 'cup' ? MINUTE_MS : 0
  const startsAt = input.startsAt ?? sql<Date>`now() + ${waitMs} * interval '1 ms'`
  // Lock a row first, so that concurrent calls of all players are counted one after the other.
  await sql`select from fairs where id = 1 for no key update`.execute(tx)
  await assertMayHost(tx, host, input)
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
      everyone_ranks: kind === 'room',
      limits_bots: false,
      host_id: host.userId,
      lobby_at: sql<Date>`now()`,
      starts_at: startsAt,
      ends_at: sql<Date>`(${startsAt})::timestamptz + ${minutes} * interval '1 minute'`,
      bell_window_s: kind === 'sandbox' ? 0 : BELL_WINDOW_S,
      secret: createSecret(),
      house_tokens: bots > 0 ? countHouseTokens(input) : 0,
      entrants_max: kind === 'sandbox' ? 1 + bots : ENTRANTS_MAX,
      invite_hash: host.invite === null ? null : hashInvite(host.invite),
      made_from: host.madeFrom,
      rematch_of: host.rematchOf ?? null,
    })
    .returning(['id', 'stake', 'kind', sql<boolean>`starts_at < clock_timestamp() + interval '1 hour'`.as('is_soon')])
    .executeTakeFirstOrThrow()
  if (kind !== 'cup') await insertEntrants(tx, row, [host.userId])
  if (kind === 'sandbox') {
    // A sandbox starts at once, because no other player will enter.
    await openFair(tx, row.id, { early: true })
  } else if (bots > 0 && row.is_soon) {
    const full = await findFullShare(tx, row)
    if (full !== null) throw new TooManyFairsError(full)
  }
  return row.id
}

/** Returns how many tokens the bots of a new fair launch. If only a room's host can launch, they launch none. */
function countHouseTokens({ kind, launches }: CreateFairInput): number {
  if (kind === 'sandbox' || launches === 'nobody') return HOUSE_TOKENS
  return launches === 'all' ? FIRST_TOKENS : 0
}

/** Returns a keyed hash of the caller's network, to count fairs per network. Returns null if rate limits are off. */
export async function hashNetwork({ app: { platform }, ip }: Pick<Context, 'app' | 'ip'>): Promise<Buffer | null> {
  if (!platform.config.rateLimit) return null
  const key = await loadServerKey(platform.db, 'fair networks')
  return createHmac('sha256', key).update(toNetworkKey(ip)).digest()
}

const MINUTES = 5
const BOTS = 7

/**
 * Starts a quick arena for the caller, who enters it. If the caller is already in a quick arena, returns that arena.
 * Throws `TooManyFairsError`. Throws `FairRuleError` if there are no house bots, or if the caller left the last quick
 * arena early.
 */
export async function beginQuickArena(ctx: Context & OrderTerms): Promise<Fair> {
  const { app, userId } = ctx
  const madeFrom = await hashNetwork(ctx)
  const now = app.platform.clock.now()
  const name = `Quick arena of ${now.toISOString().slice(11, 16)}`
  const id = await app.platform.db.transaction().execute((tx) => insertQuickArena(tx, { userId, madeFrom, name }))
  checkFairs(app)
  return await getFairFor(app, userId, { id })
}

interface Beginner {
  readonly userId: UserId
  readonly madeFrom: Buffer | null
  readonly name: string
}

async function insertQuickArena(tx: Tx, { userId, madeFrom, name }: Beginner): Promise<number> {
  const own = await findQuickArena(tx, userId)
  if (own?.hasLeft === true)
    throw new FairRuleError('You left your quick arena. You can begin another one when it has ended.')
  if (own !== undefined) return own.id
  const secret = createSecret()
  if ((await drawBots(tx, { secret, bots: 1 })).length === 0)
    throw new FairRuleError('A quick arena needs house bots, and this server has none.')
  const row = await tx
    .insertInto('fairs')
    .values({
      kind: 'arena',
      is_quick: true,
      name,
      stake: STAKE,
      host_id: userId,
      lobby_at: sql<Date>`now()`,
      starts_at: sql<Date>`now()`,
      ends_at: sql<Date>`now() + ${MINUTES * MINUTE_MS} * interval '1 ms'`,
      bell_window_s: ARENA_BELL_S,
      secret,
      bots: BOTS,
      limits_bots: false,
      house_tokens: ARENA_TOKENS,
      entrants_max: ENTRANTS_MAX,
      made_from: madeFrom,
    })
    .returning(['id', 'stake', 'kind'])
    .executeTakeFirstOrThrow()
  const full = await findFullShare(tx, row)
  if (full !== null) throw new TooManyFairsError(full)
  await insertEntrants(tx, row, [userId])
  return row.id
}
