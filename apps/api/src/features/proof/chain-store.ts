import type { TokenId } from '@papermoon/engine'
import { sql } from 'kysely'
import type { ChainRugRow, ChainTradeRow, LaunchRow } from '../../database/chain-rows.ts'
import type { Snapshot } from '../../database/snapshot.ts'
import { visibleTokens } from '../../database/visible-tokens.ts'

/** A token's launch and the head of its chain; hashes are hexadecimal. */
export type ChainEndsRow = LaunchRow & { readonly seq: number; readonly head: string }

interface Hashed {
  readonly hash: string
}

/** Undefined for a token that does not exist or is hidden. */
export async function findChainEnds(snapshot: Snapshot, id: TokenId): Promise<ChainEndsRow | undefined> {
  const { rows } = await sql<ChainEndsRow>`
    select t.id, t.creator_id, t.supply, t.launch_price, t.created_at, t.name, t.symbol, p.seq,
           encode(p.chain_head, 'hex') as head
      from ${visibleTokens} t join pools p on p.token_id = t.id where t.id = ${id}`.execute(snapshot)
  return rows[0]
}

/** The trades behind number `after`, in order. */
export async function findChainTrades(
  snapshot: Snapshot,
  id: TokenId,
  { after, limit }: { readonly after: number; readonly limit: number },
): Promise<(ChainTradeRow & Hashed)[]> {
  const { rows } = await sql<ChainTradeRow & Hashed>`
    select token_id, seq, user_id, side, sol_amount, fee, token_amount, price, spot_price, sol_reserve, token_reserve,
           created_at, encode(hash, 'hex') as hash
      from trades where token_id = ${id} and seq > ${after} order by seq limit ${limit}`.execute(snapshot)
  return rows
}

export async function findChainRug(snapshot: Snapshot, id: TokenId): Promise<(ChainRugRow & Hashed) | undefined> {
  const { rows } = await sql<ChainRugRow & Hashed>`
    select token_id, seq, user_id, amount, created_at, encode(hash, 'hex') as hash
      from rugs where token_id = ${id}`.execute(snapshot)
  return rows[0]
}

/** The hashes of the trades with these numbers, in order. */
export async function findTradeHashes(
  snapshot: Snapshot,
  id: TokenId,
  seqs: readonly number[],
): Promise<{ seq: number; hash: string }[]> {
  const { rows } = await sql<{ seq: number; hash: string }>`
    select seq, encode(hash, 'hex') as hash from trades
     where token_id = ${id} and seq = any(${seqs}::bigint[]) order by seq`.execute(snapshot)
  return rows
}
