import { createHash, randomBytes } from 'node:crypto'
import type { Tx } from '@papermoon/db'
import { BusyError, type UserId } from '@papermoon/engine'
import { sql } from 'kysely'
import type { AppPart } from '../../context.ts'

const INVITE_BYTES = 16

/** Creates the code of an invite link: 128 random bits. */
export function createInvite(): string {
  return randomBytes(INVITE_BYTES).toString('base64url')
}

/** Returns the hash of a code, which is stored instead of the code. */
export function hashInvite(code: string): Buffer {
  return createHash('sha256').update(code).digest()
}

const HOST_AGE_MIN = sql`interval '1 day'`
const ENTRANTS = sql`(select count(*) from fairs.accounts a where a.fair_id = f.id)`

/**
 * SQL for whether a new player can take a seat by a code: the room still takes players, and its host's account is a day
 * old.
 */
const isOpen = (code: string) => sql`invite_hash = ${hashInvite(code)} and entrants_max > ${ENTRANTS}
  and (state = 'lobby' or (state = 'open' and late_entry and bell_at > clock_timestamp()))
  and exists (select from users h where h.id = f.host_id and h.created_at < clock_timestamp() - ${HOST_AGE_MIN})`

/** Returns whether a new player can take a seat in a room by a code. */
export async function hasPlace({ platform: { db } }: AppPart<'db'>, code: string): Promise<boolean> {
  const { rows } = await sql`select from fairs f where ${isOpen(code)}`.execute(db)
  return rows.length > 0
}

/**
 * Enters a new player into the room with this code. Each seat can be used once. Throws `BusyError` if the room has
 * become full.
 */
export async function takePlace(tx: Tx, code: string, userId: UserId): Promise<void> {
  await sql`select from fairs where invite_hash = ${hashInvite(code)} for no key update`.execute(tx)
  const { numAffectedRows } = await sql`
    insert into fairs.accounts (fair_id, user_id, sol_balance, stake)
    select id, ${userId}, stake, stake from fairs f where ${isOpen(code)}`.execute(tx)
  if (numAffectedRows !== 1n) throw new BusyError('The room is full. Please register without its link.')
}
