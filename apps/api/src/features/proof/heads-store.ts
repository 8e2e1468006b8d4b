import type { Db, Tx } from '@papermoon/db'
import { sql } from 'kysely'
import { LOCK_IDS } from '../../database/lock-ids.ts'

/** Asks for at most `limit` rows after the one with this number. */
export interface RowsAfter {
  readonly after: number
  readonly limit: number
}

/** A publication. Digests are hexadecimal. */
export interface PublicationRow {
  readonly hour: Date
  readonly published_at: Date
  readonly tokens: number
  readonly previous: string | null
  readonly digest: string
}

export interface HeadRow {
  readonly tokenId: number
  readonly seq: number
  readonly hash: string
}

/**
 * Takes a lock with which one node publishes at a time, until its transaction ends. Returns false on the other nodes.
 */
export async function lockPublishing(tx: Tx, timeoutMs: number): Promise<boolean> {
  await sql`set local statement_timeout = ${sql.lit(timeoutMs)}`.execute(tx)
  const { rows } = await sql<{ taken: boolean }>`
    select pg_try_advisory_xact_lock(${sql.lit(LOCK_IDS.publishing)}) as taken`.execute(tx)
  return rows[0]?.taken ?? false
}

/** Returns the hour of the newest publication, or null. */
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

/** Stores the hashes that changed since they were last published, all from one snapshot. */
export async function keepMovedHeads(tx: Tx, hour: Date): Promise<void> {
  await sql`
    insert into published_heads (token_id, hour, seq, hash)
    select p.token_id, ${hour}, p.seq, p.chain_head
      from pools p left join lateral (
        select hash from published_heads h where h.token_id = p.token_id order by h.hour desc limit 1) last on true
     where last.hash is distinct from p.chain_head`.execute(tx)
}

/** Finds the hashes in an hour's publication by token id, after a token. */
export async function findHeads(db: Db, hour: Date, { after, limit }: RowsAfter): Promise<HeadRow[]> {
  // Use one index lookup per token, because the table grows with each hour.
  const { rows } = await sql<HeadRow>`
    select t.id as "tokenId", h.seq, encode(h.hash, 'hex') as hash
      from tokens t join lateral (
        select seq, hash from published_heads where token_id = t.id and hour <= ${hour} order by hour desc limit 1) h on true
     where t.id > ${after} order by t.id limit ${limit}`.execute(db)
  return rows
}

export async function recordPublication(tx: Tx, row: PublicationRow): Promise<void> {
  await sql`insert into head_publications (hour, published_at, tokens, previous, digest)
    values (${row.hour}, ${row.published_at}, ${row.tokens}, decode(${row.previous}, 'hex'), decode(${row.digest}, 'hex'))`.execute(
    tx,
  )
}
