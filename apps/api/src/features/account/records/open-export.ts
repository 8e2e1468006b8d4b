import { NotSignedInError, type UserId } from '@papermoon/engine'
import type { AppPart, Context } from '../../../context.ts'
import type { ObjectFolder } from '../../../storage/object-store.ts'
import { assertStatusAllows } from '../account-status.ts'
import { type PersonalTable, personalTables, toCamelCase } from '../deletion/personal-tables.ts'
import { ExportLinkError } from '../errors.ts'
import { findPasswordHash } from '../store.ts'
import { EXPORT_PAGE, exportSeal, findRows, isSameSeal } from './prepare-export.ts'

/** The query of a download link. */
export interface ExportLink {
  readonly expires: string
  readonly seal: string
}

/** The player, and the parts of the exported text. */
export interface OpenedExport {
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
 * Yields everything stored about a player, as parts of one JSON text. Each part is created when it is requested, so
 * even a slow reader needs only one page of rows in memory and no open transaction. Numbers are exact decimals as text.
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

/** Finds names of a player's uploads that are not their picture yet. */
async function findUploads({ platform: { objects } }: Parts, userId: UserId): Promise<string[]> {
  const own = `${UPLOADS}${userId}-`
  const listed = await objects.list(UPLOADS, { after: own, most: UPLOADS_MAX })
  return listed.map(({ name }) => name).filter((name) => name.startsWith(own))
}
