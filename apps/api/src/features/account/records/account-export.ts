import { createHmac, timingSafeEqual } from 'node:crypto'
import type { ExportReady } from '@papermoon/contract/account'
import type { Db } from '@papermoon/db'
import { NotSignedInError, type UserId } from '@papermoon/engine'
import { sql } from 'kysely'
import { assertStatusAllows } from '../../../caller.ts'
import type { AppPart, Context } from '../../../context.ts'
import { RateLimitedError } from '../../../errors.ts'
import { countSecondsUntil, DAY_MS } from '../../../lib/durations.ts'
import type { ObjectFolder } from '../../../storage/object-store.ts'
import { changeAccount } from '../change-account.ts'
import { hashSecret, toCredentialId } from '../credentials.ts'
import { type PersonalTable, personalTables, toCamelCase } from '../deletion/personal-tables.ts'
import { ExportLinkError } from '../errors.ts'
import { requireRecentProof } from '../step-up.ts'
import { findPasswordHash } from '../store.ts'

/** Number of rows per query. A page of trades takes about 350 kB of an export. */
export const EXPORT_PAGE = 1_000

type Row = Readonly<Record<string, unknown>>

/** The URL path of a download. The query of the URL contains the expiry and the signature. */
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
 * player's password hash. The hash's random salt never leaves the database, every node can check the signature, and a
 * new password revokes it. Throws `NotSignedInError` for a call without a session.
 */
function exportSeal({ cookies }: Pick<Context, 'cookies'>, expires: string, key: string): string {
  if (cookies.session.token === null) throw new NotSignedInError()
  const session = toCredentialId(hashSecret(cookies.session.token))
  return createHmac('sha256', key).update(`export ${session} ${expires}`).digest('base64url')
}

function isSameSeal(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)]
  return left.length === right.length && timingSafeEqual(left, right)
}

/**
 * Returns how often a player has exported their data since a certain time, and the time of the first of these exports.
 */
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
 * Reads a page of a player's rows in a table, after the previous page's last row. Reads the columns that are exported
 * and the columns by which rows are sorted.
 */
async function findRows(
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

/** The query of a download link. */
interface ExportLink {
  readonly expires: string
  readonly seal: string
}

/** The exported player, and the export's text in parts. */
interface OpenedExport {
  readonly userId: UserId
  readonly pieces: AsyncGenerator<string>
}

/**
 * Opens the download that `prepareExport` allowed for this session. Throws `NotSignedInError`, `AccountFrozenError` and
 * `ExportLinkError`.
 */
export async function openExport(ctx: Context, { expires, seal }: ExportLink): Promise<OpenedExport> {
  const { app } = ctx
  const caller = ctx.apiKey === null ? await app.accounts.sessions.find(ctx) : null
  const key = caller === null ? undefined : await findPasswordHash(app.platform.db, caller.userId)
  if (caller === null || key === undefined) throw new NotSignedInError()
  const { userId, accountStatus } = caller
  assertStatusAllows(accountStatus, { type: 'query', whenSuspended: undefined })
  const isOpen = /^\d{1,15}$/.test(expires) && Number(expires) > app.platform.clock.now().getTime()
  if (!isOpen || !isSameSeal(seal, exportSeal(ctx, expires, key))) throw new ExportLinkError()
  return { userId, pieces: exportAccount(app, userId) }
}

/** Version of the format, for programs that read it. */
const FORMAT = 'papermoon-account:1'
/** Max number of uploads, more than a player can have. */
const UPLOADS_MAX = 500
const UPLOADS: ObjectFolder = 'uploads/'

type Parts = AppPart<'db' | 'clock' | 'objects'>

/**
 * Yields everything stored about a player, as parts of one JSON text. Each part is created when the reader requests it,
 * so even a slow reader needs only one page of rows in memory and no open transaction. Numbers in the export are exact
 * decimals, written as text.
 */
export async function* exportAccount(app: Parts, userId: UserId): AsyncGenerator<string> {
  const head = {
    format: FORMAT,
    exportedAt: app.platform.clock.now().toISOString(),
    uploads: await findUploads(app, userId),
  }
  yield JSON.stringify(head).slice(0, -1)
  for (const entry of personalTables) {
    if (entry.section !== null) yield* sectionText(app, entry, userId)
  }
  yield '}\n'
}

async function* sectionText(app: Parts, entry: PersonalTable, userId: UserId): AsyncGenerator<string> {
  const isSingle = entry.order.length === 1 && entry.order[0] === entry.owner
  yield `,\n${JSON.stringify(entry.section)}:${isSingle ? '' : '['}`
  let count = 0
  for await (const page of readPages(app, entry, userId)) {
    const rows = page.map((row) => JSON.stringify(toFields(row, entry.exported)))
    yield `${count > 0 ? ',\n' : ''}${rows.join(',\n')}`
    count += rows.length
  }
  if (isSingle) yield count === 0 ? 'null' : ''
  else yield ']'
}

async function* readPages({ platform: { db, clock } }: Parts, entry: PersonalTable, userId: UserId) {
  let after: Readonly<Record<string, unknown>> | null = null
  for (;;) {
    const page: Readonly<Record<string, unknown>>[] = await findRows(db, entry, {
      userId,
      after,
      now: clock.now(),
    })
    after = page.at(-1) ?? null
    if (after !== null) yield page
    if (page.length < EXPORT_PAGE) return
  }
}

function toFields(row: Readonly<Record<string, unknown>>, columns: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(columns.map((column) => [toCamelCase(column), row[column]]))
}

/** Finds names of a player's uploads, without the current picture. */
async function findUploads({ platform: { objects } }: Parts, userId: UserId): Promise<string[]> {
  const own = `${UPLOADS}${userId}-`
  const listed = await objects.list(UPLOADS, { after: own, most: UPLOADS_MAX })
  return listed.map(({ name }) => name).filter((name) => name.startsWith(own))
}
