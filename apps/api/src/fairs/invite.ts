import { createHash, randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import type { AppPart } from '../context.ts'

const INVITE_BYTES = 16

/** The code of a new invite link: 128 random bits. */
export function createInvite(): string {
  return randomBytes(INVITE_BYTES).toString('base64url')
}

/** What is stored of a code. */
export function hashInvite(code: string): Buffer {
  return createHash('sha256').update(code).digest()
}

/** Whether a code is of a room that has not ended and has places left. */
export async function hasPlace({ platform: { db } }: AppPart<'db'>, code: string): Promise<boolean> {
  const { rows } = await sql<{ is_open: boolean }>`
    select entrants_max > (select count(*) from fairs.accounts a where a.fair_id = f.id) as is_open
      from fairs f where invite_hash = ${hashInvite(code)} and state in ('lobby', 'open')`.execute(db)
  return rows[0]?.is_open === true
}
