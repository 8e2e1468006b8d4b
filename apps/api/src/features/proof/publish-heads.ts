import { createHash } from 'node:crypto'
import { headLine, publicationStart } from '@papermoon/chain'
import type { Db, Tx } from '@papermoon/db'
import { sql } from 'kysely'
import type { AppPart } from '../../context.ts'
import { readDatabaseTime } from '../../database/probe-database.ts'
import { LOCK_IDS } from '../../database/take-lock.ts'

/** A request for at most `limit` rows that follow the row with this number. */
export interface RowsAfter {
  readonly after: number
  readonly limit: number
}

/** A publication of hashes. The digests are hexadecimal. */
interface PublicationRow {
  readonly hour: Date
  readonly published_at: Date
  readonly tokens: number
  readonly previous: string | null
  readonly digest: string
}

interface HeadRow {
  readonly tokenId: number
  readonly seq: number
  readonly hash: string
}

/**
 * Returns a function that publishes the last hashes of all chains once an hour. The function publishes soon after the
 * full hour, or later if it missed that time. The time is that of PostgreSQL's clock unless another clock is given.
 * Several nodes can do this on one database at once.
 */
export function createHeadPublisher(
  { platform: { db, log } }: AppPart<'db' | 'log'>,
  now: () => Promise<Date> = () => readDatabaseTime(db),
): (stopping?: AbortSignal) => Promise<void> {
  /** The hour that was published last, as a time in ms. */
  let doneMs = 0
  return async (stopping) => {
    const moment = await now()
    const hourMs = startOfHour(moment).getTime()
    if (hourMs === doneMs) return
    const published = await publishHeads(db, moment, stopping)
    if (published === 'elsewhere' || published === 'nothing') return
    doneMs = hourMs
    if (published === 'ahead') {
      log.warn(
        { now: moment },
        'the last published chain heads are dated in the future (wrong clock); publishing resumes at that time',
      )
    } else if (published !== 'before') {
      log.info({ tokens: published }, 'the chain heads were published')
    }
  }
}

const HOUR_MS = 3_600_000

/** Max time for the statement in ms, enough for a hundred thousand changed tokens. No caller waits for it. */
const STATEMENT_TIMEOUT_MS = 60_000

/** Max number of hashes that are in memory at once. */
const PAGE = 5_000

export function startOfHour(now: Date): Date {
  return new Date(Math.floor(now.getTime() / HOUR_MS) * HOUR_MS)
}

/**
 * The number of published tokens, or why nothing was published. `before`: this hour is already published. `ahead`: a
 * later hour is published, because a clock was wrong. `elsewhere`: another node is publishing. `nothing`: there is no
 * token.
 */
type Published = number | 'before' | 'ahead' | 'elsewhere' | 'nothing'

/**
 * Publishes the current hashes of all chains for this hour. If `stopping` is aborted, throws an error and publishes
 * nothing.
 */
export async function publishHeads(db: Db, now: Date, stopping?: AbortSignal): Promise<Published> {
  const hour = startOfHour(now)
  // The isolation level is read committed, so the transaction sees earlier publications once it has the lock.
  return await db.transaction().execute(async (tx) => {
    if (!(await lockPublishing(tx, STATEMENT_TIMEOUT_MS))) return 'elsewhere'
    const last = await lastHour(tx)
    if (last !== null && last >= hour) return last > hour ? 'ahead' : 'before'
    const previous = last === null ? null : ((await findPublication(tx, last))?.digest ?? null)
    await storeChangedHashes(tx, hour)
    const { tokens, digest } = await computeDigest(tx, { hour, previous }, stopping)
    if (tokens === 0) return 'nothing'
    await recordPublication(tx, { hour, published_at: now, tokens, previous, digest })
    return tokens
  })
}

async function computeDigest(
  tx: Tx,
  { hour, previous }: { readonly hour: Date; readonly previous: string | null },
  stopping?: AbortSignal,
): Promise<{ tokens: number; digest: string }> {
  const digest = createHash('sha256').update(publicationStart({ hour: hour.toISOString(), previous }))
  let tokens = 0
  let after = 0
  for (;;) {
    stopping?.throwIfAborted()
    const heads = await findHeads(tx, hour, { after, limit: PAGE })
    for (const head of heads) digest.update(headLine(head))
    tokens += heads.length
    after = heads.at(-1)?.tokenId ?? after
    if (heads.length < PAGE) return { tokens, digest: digest.digest('hex') }
  }
}

/** Takes a lock until the transaction ends, so that only one node publishes. Returns false on all other nodes. */
async function lockPublishing(tx: Tx, timeoutMs: number): Promise<boolean> {
  await sql`set local statement_timeout = ${sql.lit(timeoutMs)}`.execute(tx)
  const { rows } = await sql<{ taken: boolean }>`
    select pg_try_advisory_xact_lock(${sql.lit(LOCK_IDS.publishing)}) as taken`.execute(tx)
  return rows[0]?.taken ?? false
}

/** Returns the hour of the latest publication, or null. */
export async function lastHour(db: Db): Promise<Date | null> {
  const { hour } = await db
    .selectFrom('head_publications')
    .select((select) => select.fn.max<Date | null>('hour').as('hour'))
    .executeTakeFirstOrThrow()
  return hour
}

export async function findPublication(db: Db, hour: Date): Promise<PublicationRow | undefined> {
  const { rows } = await sql<PublicationRow>`
    select hour, published_at, tokens, encode(previous, 'hex') as previous, encode(digest, 'hex') as digest
      from head_publications where hour = ${hour}`.execute(db)
  return rows[0]
}

/** Stores all hashes that changed since they were last published, from one snapshot. */
async function storeChangedHashes(tx: Tx, hour: Date): Promise<void> {
  await sql`
    insert into published_heads (token_id, hour, seq, hash)
    select p.token_id, ${hour}, p.seq, p.chain_head
      from pools p left join lateral (
        select hash from published_heads h where h.token_id = p.token_id order by h.hour desc limit 1) last on true
     where last.hash is distinct from p.chain_head`.execute(tx)
}

/** Finds the hashes in the publication of an hour after a certain token, sorted by token id. */
export async function findHeads(db: Db, hour: Date, { after, limit }: RowsAfter): Promise<HeadRow[]> {
  // Use one index lookup per token, because the table grows every hour.
  const { rows } = await sql<HeadRow>`
    select t.id as "tokenId", h.seq, encode(h.hash, 'hex') as hash
      from tokens t join lateral (
        select seq, hash from published_heads where token_id = t.id and hour <= ${hour} order by hour desc limit 1) h on true
     where t.id > ${after} order by t.id limit ${limit}`.execute(db)
  return rows
}

async function recordPublication(tx: Tx, row: PublicationRow): Promise<void> {
  await sql`insert into head_publications (hour, published_at, tokens, previous, digest)
    values (${row.hour}, ${row.published_at}, ${row.tokens}, decode(${row.previous}, 'hex'), decode(${row.digest}, 'hex'))`.execute(
    tx,
  )
}
