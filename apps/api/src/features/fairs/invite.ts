import { createHash, randomBytes } from 'node:crypto'
import type { Tx } from '@papermoon/db'
import { BusyError, type UserId } from '@papermoon/engine'
import { sql } from 'kysely'
import type { AppPart } from '../../context.ts'

const INVITE_BYTES = 16

/** The code of a new invite link: 128 random bits. */
export function createInvite(): string {
  return randomBytes(INVITE_BYTES).toString('base64url')
}

/** What is stored of a code. */
export function hashInvite(code: string): Buffer {
  return createHash('sha256').update(code).digest()
}

const HOST_AGE_MIN = sql`interval '1 day'`
const ENTRANTS = sql`(select count(*) from fairs.accounts a where a.fair_id = f.id)`

/** Whether a new player may take a place by a code: of a room that takes entrants, whose host has been here for a day. */
const isOpen = (code: string) => sql`invite_hash = ${hashInvite(code)} and entrants_max > ${ENTRANTS}
  and (state = 'lobby' or (state = 'open' and late_entry and bell_at > clock_timestamp()))
  and exists (select from users h where h.id = f.host_id and h.created_at < clock_timestamp() - ${HOST_AGE_MIN})`

/** Whether a room has a place that a new player may take by a code. */
export async function hasPlace({ platform: { db } }: AppPart<'db'>, code: string): Promise<boolean> {
  const { rows } = await sql`select from fairs f where ${isOpen(code)}`.execute(db)
  return rows.length > 0
}

/** Lets a new player into the room of a code, so that each of its places serves once. Throws `BusyError` if it is full by now. */
export async function takePlace(tx: Tx, code: string, userId: UserId): Promise<void> {
  await sql`select from fairs where invite_hash = ${hashInvite(code)} for no key update`.execute(tx)
  const { numAffectedRows } = await sql`
    insert into fairs.accounts (fair_id, user_id, sol_balance, stake)
    select id, ${userId}, stake, stake from fairs f where ${isOpen(code)}`.execute(tx)
  if (numAffectedRows !== 1n) throw new BusyError('The room is full. Please register without its link.')
}
