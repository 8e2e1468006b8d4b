import { createHmac, timingSafeEqual } from 'node:crypto'
import type { ExportReady } from '@papermoon/contract/account'
import type { Db } from '@papermoon/db'
import { NotSignedInError, type UserId } from '@papermoon/engine'
import { sql } from 'kysely'
import type { Context } from '../../../context.ts'
import { RateLimitedError } from '../../../errors.ts'
import { countSecondsUntil, DAY_MS } from '../../../lib/durations.ts'
import { changeAccount } from '../change-account.ts'
import { hashSecret, toCredentialId } from '../credentials.ts'
import type { PersonalTable } from '../deletion/personal-tables.ts'
import { requireRecentProof } from '../step-up.ts'
import { findPasswordHash } from '../store.ts'

/** Number of rows per query. A page of trades is about 350 kB of an export. */
export const EXPORT_PAGE = 1_000

type Row = Readonly<Record<string, unknown>>

/** The path of a download. The query of the URL contains the expiry and the signature. */
export const EXPORT_PATH = '/exports/account.json'

const EXPORTS_A_DAY = 5

/** How long a link is valid, in ms. */
const VALID_MS = 10 * 60_000

/**
 * Creates a link, valid for ten minutes in this session, to download everything stored about the player. Throws
 * `ConfirmationNeededError`, `NotSignedInError`, and `RateLimitedError` after five links in a day.
 */
export async function prepareExport(ctx: Context, userId: UserId): Promise<ExportReady> {
  await requireRecentProof(ctx)
  const now = ctx.app.platform.clock.now()
  const expires = String(now.getTime() + VALID_MS)
  const key = await changeAccount(ctx, userId, async (tx, record) => {
    const passwordHash = await findPasswordHash(tx, userId)
    if (passwordHash === undefined) throw new NotSignedInError()
    const { count, first } = await findExportsSince(tx, userId, new Date(now.getTime() - DAY_MS))
    if (count >= EXPORTS_A_DAY && first !== null)
      throw new RateLimitedError(countSecondsUntil(first.getTime() + DAY_MS, now))
    await record('export_made')
    return passwordHash
  })
  const query = new URLSearchParams({ expires, seal: exportSeal(ctx, expires, key) })
  return { url: `${EXPORT_PATH}?${query}`, expiresAt: new Date(Number(expires)).toISOString() }
}

/**
 * Returns the signature that allows a session to download its player's data until `expires`. The HMAC key is the
 * player's password hash. Its random salt never leaves the database, every node can check the signature, and a new
 * password revokes it. Throws `NotSignedInError` for a call without a session.
 */
export function exportSeal({ cookies }: Pick<Context, 'cookies'>, expires: string, key: string): string {
  if (cookies.session.token === null) throw new NotSignedInError()
  const session = toCredentialId(hashSecret(cookies.session.token))
  return createHmac('sha256', key).update(`export ${session} ${expires}`).digest('base64url')
}

export function isSameSeal(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)]
  return left.length === right.length && timingSafeEqual(left, right)
}

/** Returns how often a player exported their data since a certain time, and the first time. */
async function findExportsSince(
  db: Db,
  userId: UserId,
  since: Date,
): Promise<{ readonly count: number; readonly first: Date | null }> {
  const { rows } = await sql<{ count: number; first: Date | null }>`
    select coalesce(sum(times), 0)::int as count, min(at) as first from account_events
     where user_id = ${userId} and kind = 'export_made' and at > ${since}`.execute(db)
  return rows[0] ?? { count: 0, first: null }
}

/**
 * Reads a page of a player's rows in a table, after the previous page's last row: the exported columns and the columns
 * to sort by.
 */
export async function findRows(
  db: Db,
  { table, owner, order, exported, shown }: PersonalTable,
  { userId, after, now }: { readonly userId: UserId; readonly after: Row | null; readonly now: Date },
): Promise<Row[]> {
  const columns = [...new Set<string>([...exported, ...order])]
  const key = sql.join(order.map((column) => sql.ref(column)))
  const rest = after === null ? sql`` : sql`and (${key}) > (${sql.join(order.map((column) => after[column]))})`
  const some = shown === undefined ? sql`` : sql`and ${shown(now)}`
  const { rows } = await sql<Row>`
    select ${sql.join(columns.map((column) => sql.ref(column)))} from ${sql.table(table)}
     where ${sql.ref(owner)} = ${userId} ${some} ${rest} order by ${key} limit ${EXPORT_PAGE}`.execute(db)
  return rows
}
