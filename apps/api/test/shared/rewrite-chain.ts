import { entryText, type HashedEntry } from '@papermoon/chain'
import type { TestDatabase } from '@papermoon/db/testing'
import { sql } from 'kysely'
import { browserSha256, keptChain } from './kept-chain.ts'

/**
 * Forges a chain, as anyone with access to the database could: recomputes all numbers and hashes of a token from the
 * first entry on.
 */
export async function rewriteChain(database: Pick<TestDatabase, 'db'>, tokenId: number): Promise<void> {
  const { genesis, entries } = await keptChain(database, tokenId)
  let last = { seq: 0, hash: genesis }
  for (const entry of entries) {
    const seq = last.seq + 1
    const hash = await browserSha256(entryText(last.hash, { ...entry, seq }))
    await write(database, entry, { seq, hash })
    last = { seq, hash }
  }
  await sql`update pools set chain_head = decode(${last.hash}, 'hex'), seq = ${last.seq}
    where token_id = ${tokenId}`.execute(database.db)
}

async function write(
  { db }: Pick<TestDatabase, 'db'>,
  { kind, tokenId, seq: before }: HashedEntry,
  { seq, hash }: { seq: number; hash: string },
): Promise<void> {
  const table = sql.table(kind === 'rug' ? 'rugs' : 'trades')
  await sql`update ${table} set seq = ${seq}, hash = decode(${hash}, 'hex')
    where token_id = ${tokenId} and seq = ${before}`.execute(db)
}
