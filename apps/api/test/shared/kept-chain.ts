import { createHash } from 'node:crypto'
import { type HashedEntry, launchText } from '@papermoon/chain'
import type { TestDatabase } from '@papermoon/db/testing'
import { sql } from 'kysely'

/** A token's chain as stored in the tables, formatted by SQL. */
export interface KeptChain {
  /** Recomputed hash of the launch. */
  readonly genesis: string
  readonly entries: readonly HashedEntry[]
  /** The hash stored in the pool. */
  readonly head: string
}

/** Reads a chain without the server's code, so that a bug in the server cannot hide here. */
export async function keptChain({ db }: Pick<TestDatabase, 'db'>, tokenId: number): Promise<KeptChain> {
  const { rows } = await sql<KeptChain & { launch: Parameters<typeof launchText>[0] }>`
    select encode(p.chain_head, 'hex') as head,
      jsonb_build_object('tokenId', t.id, 'creatorId', t.creator_id, 'supply', trim_scale(t.supply)::text,
        'launchPrice', trim_scale(t.launch_price)::text, 'name', t.name, 'symbol', t.symbol,
        'createdAt', ${instant('t.created_at')}) as launch,
      (select coalesce(jsonb_agg(entry order by entry -> 'seq'), '[]') from (
        select jsonb_build_object('kind', side, 'tokenId', token_id, 'seq', seq, 'userId', user_id,
            'solAmount', trim_scale(sol_amount)::text, 'fee', trim_scale(fee)::text,
            'tokenAmount', trim_scale(token_amount)::text, 'price', trim_scale(price)::text,
            'spotPrice', trim_scale(spot_price)::text, 'solReserve', trim_scale(sol_reserve)::text,
            'tokenReserve', trim_scale(token_reserve)::text, 'createdAt', ${instant('created_at')},
            'hash', encode(hash, 'hex')) as entry
          from trades where token_id = t.id
        union all
        select jsonb_build_object('kind', 'rug', 'tokenId', token_id, 'seq', seq, 'userId', user_id,
            'amount', trim_scale(amount)::text, 'createdAt', ${instant('created_at')}, 'hash', encode(hash, 'hex'))
          from rugs where token_id = t.id) journal) as entries
    from tokens t join pools p on p.token_id = t.id where t.id = ${tokenId}`.execute(db)
  const [row] = rows
  if (row === undefined) throw new Error(`there is no token ${tokenId}`)
  const genesis = createHash('sha256').update(launchText(row.launch)).digest('hex')
  return { genesis, entries: row.entries, head: row.head }
}

const instant = (column: string) => sql.raw(`to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`)

/** Computes SHA-256 with WebCrypto, as browsers do. */
export async function browserSha256(text: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))
  return Buffer.from(digest).toString('hex')
}
