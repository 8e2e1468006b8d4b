import { createHash, randomBytes } from 'node:crypto'
import { QUICK_ENTRY_MS } from '@papermoon/contract/fair-tokens'
import type { Fair } from '@papermoon/contract/fairs'
import type { Tx } from '@papermoon/db'
import { BusyError, FairEndedError, type UserId } from '@papermoon/engine'
import { sql } from 'kysely'
import type { OrderTerms } from '../../caller.ts'
import type { AppPart, Context } from '../../context.ts'
import { endWaitingOrders } from '../account/public.ts'
import { FairFullError, FairNotFoundError, FairNotOpenError, FairRuleError, NotInFairError } from './errors.ts'
import { formatMoment } from './fair-account.ts'
import { findFair, isRunningCup, lockFair, toFair } from './store.ts'

const INVITE_BYTES = 16

const HOST_AGE_MIN = sql`interval '1 day'`

const ENTRANTS = sql`(select count(*) from fairs.accounts a where a.fair_id = f.id)`

/**
 * SQL for whether a new player can take one of a room's seats with an invite code. The room must still accept players,
 * and the account of its host must be at least a day old.
 */
const isOpen = (code: string) => sql`invite_hash = ${hashInvite(code)} and entrants_max > ${ENTRANTS}
  and (state = 'lobby' or (state = 'open' and late_entry and bell_at > clock_timestamp()))
  and exists (select from users h where h.id = f.host_id and h.created_at < clock_timestamp() - ${HOST_AGE_MIN})`

interface Entry {
  readonly id: number
  readonly invite?: string | undefined
}

/** Returns a fair as the caller sees it. Throws `FairNotFoundError` also for a room that the caller has not joined. */
export async function getFairFor(
  { platform: { db } }: AppPart<'db'>,
  userId: UserId | null,
  { id, invite }: Entry,
): Promise<Fair> {
  const row = await findFair(db, id, { userId, inviteHash: invite === undefined ? null : hashInvite(invite) })
  if (row === undefined) throw new FairNotFoundError()
  return toFair(row, userId)
}

/**
 * Creates the caller's account in the fair, with the fair's stake. Each caller gets only one account. Throws
 * `FairNotFoundError`, `FairEndedError`, `FairNotOpenError`, `FairFullError`, or `FairRuleError`.
 */
export async function enterFair(ctx: Context & OrderTerms, entry: Entry): Promise<Fair> {
  const { app, userId } = ctx
  const { db } = app.platform
  // A caller cannot enter a fair that they cannot see.
  const seen = await getFairFor(app, userId, entry)
  if (seen.kind === 'cup' && ctx.apiKey === null) {
    throw new FairRuleError('A cup is for programs. Enter it with an API key that can trade.')
  }
  if (seen.kind === 'sandbox' && seen.me?.isHost !== true) throw new FairNotFoundError()
  await db.transaction().execute(async (tx) => {
    const fair = await lockFair(tx, entry.id)
    if (fair === undefined) throw new FairNotFoundError()
    const account = await findAccount(tx, fair.id, userId)
    if (account?.left_at) throw new FairRuleError('You left this fair, and nobody can enter twice.')
    if (account !== undefined) return
    assertOpenFor(fair)
    if (fair.is_quick && (await findQuickArena(tx, userId))?.hasLeft === false)
      throw new FairRuleError('You are in another quick arena. Please finish that one first.')
    if ((await countEntrants(tx, fair.id)) >= fair.entrants_max) throw new FairFullError(fair.entrants_max)
    await insertEntrants(tx, fair, [userId])
  })
  return await getFairFor(app, userId, entry)
}

type LockedFair = NonNullable<Awaited<ReturnType<typeof lockFair>>>

function assertOpenFor(fair: LockedFair): void {
  const isOver = fair.bell_at !== null && fair.now >= fair.bell_at
  if (fair.state === 'settled' || fair.state === 'void' || isOver) throw new FairEndedError()
  if (fair.now < fair.lobby_at)
    throw new FairNotOpenError(`The lobby of this fair opens at ${formatMoment(fair.lobby_at)}.`)
  if (fair.is_quick && fair.now.getTime() >= fair.starts_at.getTime() + QUICK_ENTRY_MS) {
    throw new FairRuleError('Others can enter a quick arena only in its first minute.')
  }
  if (fair.state === 'open' && !fair.late_entry) {
    throw new FairRuleError('This fair has begun, so nobody can enter it any more.')
  }
}

/**
 * Returns the quick arena that a player is in, or one that the player entered and left. Holds a lock until the
 * transaction ends, so that a player cannot enter two quick arenas at once.
 */
export async function findQuickArena(
  tx: Tx,
  userId: UserId,
): Promise<{ readonly id: number; readonly hasLeft: boolean } | undefined> {
  await sql`select from fairs where id = 1 for no key update`.execute(tx)
  const { rows } = await sql<{ id: number; hasLeft: boolean }>`
    select f.id, a.left_at is not null as "hasLeft"
      from fairs f join fairs.accounts a on a.fair_id = f.id and a.user_id = ${userId}
     where f.is_quick and f.state in ('lobby', 'open') and (a.left_at is null or f.host_id = ${userId})
     order by a.left_at nulls first limit 1`.execute(tx)
  return rows[0]
}

/** Gives players an account in a fair, with the fair's stake. The caller must have locked the fair. */
export async function insertEntrants(
  tx: Tx,
  { id, stake }: Pick<LockedFair, 'id' | 'stake'>,
  userIds: readonly UserId[],
): Promise<void> {
  await sql`
    insert into fairs.accounts (fair_id, user_id, sol_balance, stake)
    select ${id}, user_id, ${stake}::numeric, ${stake}::numeric from unnest(${[...userIds]}::int[]) as user_id
    on conflict (fair_id, user_id) do nothing`.execute(tx)
}

/**
 * Removes a player from a fair. If the fair has not started, deletes the player's account in it. If the fair has
 * started, the account stays, because its SOL is part of the fair's sums. Throws `NotInFairError`, `FairEndedError`,
 * and `FairRuleError` for a player in a running cup.
 */
export async function leaveFair(
  { platform: { db } }: AppPart<'db'>,
  userId: UserId,
  { id: fairId, isRemoved = false }: { readonly id: number; readonly isRemoved?: boolean },
): Promise<void> {
  await db.transaction().execute(async (tx) => {
    // Lock the account before the fair, because launches use this order.
    const account = await findAccount(tx, fairId, userId)
    const fair = await lockFair(tx, fairId)
    if (fair === undefined || account === undefined || account.left_at !== null) {
      throw new NotInFairError('Nobody with this name is in the fair.')
    }
    if (fair.state === 'settled' || fair.state === 'void') throw new FairEndedError()
    if (isRemoved && isRunningCup(fair)) throw new FairRuleError('Nobody can be removed from a cup that has begun.')
    // Keep the row of the account, so that a removed player cannot enter again.
    if (fair.state === 'lobby' && !isRemoved)
      await sql`delete from fairs.accounts where account_id = ${account.id}`.execute(tx)
    else {
      await sql`update fairs.accounts set left_at = clock_timestamp() where account_id = ${account.id}`.execute(tx)
      await endWaitingOrders(tx, userId, { cause: 'LEFT_FAIR', fairAccountId: account.id })
    }
  })
}

/** Also count the players who left, because their accounts remain in the fair. */
async function countEntrants(tx: Tx, fairId: number): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from fairs.accounts where fair_id = ${fairId}`.execute(tx)
  return rows[0]?.count ?? 0
}

interface AccountRow {
  readonly id: number
  readonly left_at: Date | null
}

/** Finds a player's account in a fair, and locks the fair. */
async function findAccount(tx: Tx, fairId: number, userId: UserId): Promise<AccountRow | undefined> {
  const { rows } = await sql<AccountRow>`
    select account_id as id, left_at from fairs.accounts where fair_id = ${fairId} and user_id = ${userId}
       for no key update`.execute(tx)
  return rows[0]
}

/** Creates the code of an invite link: 128 random bits. */
export function createInvite(): string {
  return randomBytes(INVITE_BYTES).toString('base64url')
}

/** Returns the hash of an invite code, which the database contains instead of the code. */
export function hashInvite(code: string): Buffer {
  return createHash('sha256').update(code).digest()
}

/** Returns whether a new player can take a seat in a room with an invite code. */
export async function hasFreeSeat({ platform: { db } }: AppPart<'db'>, code: string): Promise<boolean> {
  const { rows } = await sql`select from fairs f where ${isOpen(code)}`.execute(db)
  return rows.length > 0
}

/**
 * Enters a new player into the room with this invite code. Each seat of a room can be used once. Throws `BusyError` if
 * the room has become full.
 */
export async function takeSeat(tx: Tx, code: string, userId: UserId): Promise<void> {
  await sql`select from fairs where invite_hash = ${hashInvite(code)} for no key update`.execute(tx)
  const { numAffectedRows } = await sql`
    insert into fairs.accounts (fair_id, user_id, sol_balance, stake)
    select id, ${userId}, stake, stake from fairs f where ${isOpen(code)}`.execute(tx)
  if (numAffectedRows !== 1n) throw new BusyError('The room is full. Please register without its link.')
}
