import type { HoldersInput } from '@papermoon/contract/tokens'
import { HOLDERS_PAGE, type Holder } from '@papermoon/contract/tokens'
import type { Db } from '@papermoon/db'
import { type TokenId, TokenNotFoundError, type UserId } from '@papermoon/engine'
import { sql } from 'kysely'
import { IS_BOT, tokenExists, visibleTokens } from '../../../database/conditions.ts'
import { type JournalReader, journalQueue } from '../../../database/journal-queue.ts'
import { BadInputError } from '../../../errors.ts'
import { type HolderRow, toHolder, topHolders } from '../holders.ts'
import { unpackHoldings } from '../past/past-holders.ts'

/**
 * Reads a page of a token's holders, sorted by rank. Without parameters, returns the largest holders from the cache.
 * Throws `TokenNotFoundError`, `BadInputError` for an invalid cursor, and `BusyError`.
 */
export async function getHolders({ app, ip }: JournalReader, { id, limit, cursor }: HoldersInput): Promise<Holder[]> {
  if (limit === undefined && cursor === undefined) return await topHolders(app, id)
  const after = cursor === undefined ? null : parseCursor(cursor)
  return await journalQueue(ip, async () => {
    const rows = await findHoldersAfter(app.platform.db, id, { after, limit: limit ?? HOLDERS_PAGE })
    if (rows.length === 0 && !(await tokenExists(app.platform.db, id))) throw new TokenNotFoundError()
    return rows.map((row, index) => toHolder(row, (after?.rank ?? 0) + index + 1))
  })
}

interface Cursor {
  readonly rank: number
  readonly userId: number
  readonly amount: string
}

const CURSOR = /^(\d{1,10})-(\d{1,10})-(\d{1,14}(?:\.\d{1,6})?)$/

function parseCursor(text: string): Cursor {
  const [, rank, userId, amount] = CURSOR.exec(text) ?? []
  if (amount === undefined) throw new BadInputError('cursor is not one that this list gave.')
  return { rank: Number(rank), userId: Number(userId), amount }
}

/** Finds holders by amount, the largest first. If amounts are equal, the older account comes first. */
async function findHoldersAfter(
  db: Db,
  id: TokenId,
  { after, limit }: { readonly after: Cursor | null; readonly limit: number },
): Promise<HolderRow[]> {
  const isAfter =
    after === null
      ? sql`true`
      : sql`(amount < ${after.amount} or (amount = ${after.amount} and user_id > ${after.userId}::bigint))`
  const { rows } = await sql<HolderRow>`
    select h.user_id, u.username, ${IS_BOT} as is_bot, h.amount
      from (select token_id, user_id, amount from holdings
             where token_id = ${id} and amount > 0 and ${isAfter}
             order by amount desc, user_id limit ${limit}) h
      join ${visibleTokens} k on k.id = h.token_id
      join users u on u.id = h.user_id
     order by h.amount desc, h.user_id`.execute(db)
  return rows
}

/** Number of names that one statement reads. */
const NAMES = 1_000

/**
 * Yields all holders of a token at one time, sorted by rank, in pages. One statement reads all holders in packed form,
 * because a separate query per page would sort them all again. Each holder takes 12 bytes of memory until the last page
 * is read.
 */
export async function* readAllHolders(reader: JournalReader, id: TokenId): AsyncGenerator<Holder[]> {
  const { app, ip } = reader
  const packed = await journalQueue(ip, () => findPackedHoldings(app.platform.db, id))
  let rank = 0
  let page: { userId: number; amount: number }[] = []
  for (const holding of unpackHoldings(packed)) {
    page.push(holding)
    if (page.length < NAMES) continue
    yield await nameHolders(reader, page, rank)
    rank += page.length
    page = []
  }
  if (page.length > 0) yield await nameHolders(reader, page, rank)
}

async function findPackedHoldings(db: Db, id: TokenId): Promise<Buffer> {
  const { rows } = await sql<{ packed: Buffer | null }>`
    select string_agg(int4send(h.user_id) || int8send((h.amount * 1000000)::bigint), ''::bytea
                      order by h.amount desc, h.user_id) as packed
      from holdings h join ${visibleTokens} k on k.id = h.token_id
     where h.token_id = ${id} and h.amount > 0`.execute(db)
  return rows[0]?.packed ?? Buffer.alloc(0)
}

async function nameHolders(
  { app, ip }: JournalReader,
  page: readonly { readonly userId: number; readonly amount: number }[],
  rank: number,
): Promise<Holder[]> {
  const ids = page.map(({ userId }) => userId)
  const { rows } = await journalQueue(ip, () =>
    sql<{ id: UserId; username: string; is_bot: boolean }>`
      select u.id, u.username, ${IS_BOT} as is_bot from users u where u.id = any(${ids}::int[])`.execute(
      app.platform.db,
    ),
  )
  const names = new Map(rows.map((row) => [row.id as number, row]))
  return page.flatMap(({ userId, amount }, index) => {
    const user = names.get(userId)
    if (user === undefined) return []
    const row = { user_id: userId, username: user.username, is_bot: user.is_bot, amount: toTokens(amount) }
    return [toHolder(row, rank + index + 1)]
  })
}

/** Converts an amount in millionths of a token to tokens. */
function toTokens(millionths: number): string {
  const digits = String(millionths).padStart(7, '0')
  return `${digits.slice(0, -6)}.${digits.slice(-6)}`
}
