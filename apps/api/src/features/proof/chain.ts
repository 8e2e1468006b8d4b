import type { ChainPosition } from '@papermoon/chain'
import {
  CHAIN_PAGE_MAX,
  CHECKPOINTS_MAX,
  type ChainPage,
  type Checkpoints,
  type Heads,
  type SealChain,
} from '@papermoon/contract/proof'
import { type TokenId, TokenNotFoundError } from '@papermoon/engine'
import { sql } from 'kysely'
import type { AppPart, Context } from '../../context.ts'
import {
  type ChainRugRow,
  type ChainSealRow,
  type ChainTradeRow,
  computeLaunchHash,
  type LaunchRow,
  toChainLaunch,
  toChainRug,
  toChainSeal,
  toChainTrade,
} from '../../database/chain-rows.ts'
import { visibleTokens } from '../../database/conditions.ts'
import { journalQueue } from '../../database/journal-queue.ts'
import { inSnapshot, type Snapshot } from '../../database/snapshot.ts'
import { ApiError } from '../../errors.ts'
import { findHeads, findPublication, lastHour, type RowsAfter } from './publish-heads.ts'

/** The token's chain has fewer entries than requested. */
class NoSuchEntryError extends ApiError {
  readonly code = 'NOT_FOUND'
  constructor(seq: number) {
    super(`This token has no entry ${seq}.`)
  }
}

/** No publication exists for this hour: no server was running, the hour is in the future, or there was no token. */
class NotPublishedError extends ApiError {
  readonly code = 'NOT_FOUND'
  constructor(when: 'for this hour' | 'yet') {
    super(`Nothing was published ${when}.`)
  }
}

type ChainReader = Pick<Context, 'app' | 'ip'>

/** Runs a read on one snapshot. Only a few reads run at a time. Throws `BusyError`. */
async function inTurn<T>({ app, ip }: ChainReader, read: (snapshot: Snapshot) => Promise<T>): Promise<T> {
  return await journalQueue(ip, () => inSnapshot(app.platform.db, read))
}

/**
 * Reads a page of a token's chain: the entries after number `after`, and the hash of entry `after`. Anyone can verify
 * the entries with `@papermoon/chain`. Throws `TokenNotFoundError`, or `NoSuchEntryError` if the chain is shorter.
 */
export async function getChain(reader: ChainReader, input: RowsAfter & { readonly id: TokenId }): Promise<ChainPage> {
  return await inTurn(reader, async (snapshot) => {
    const ends = await getEnds(snapshot, input.id)
    const after = { seq: input.after, hash: await hashAt(snapshot, ends, input.after) }
    const entries = await readEntries(snapshot, ends, input)
    const genesis = { ...toChainLaunch(ends), hash: computeLaunchHash(ends) }
    return { genesis, head: toHead(ends), after, entries }
  })
}

/**
 * Reads evenly spaced hashes of a token's chain. With these hashes, readers can verify parts of a long chain
 * separately. Throws `TokenNotFoundError`.
 */
export async function getCheckpoints(reader: ChainReader, id: TokenId): Promise<Checkpoints> {
  return await inTurn(reader, async (snapshot) => {
    const ends = await getEnds(snapshot, id)
    const every = CHAIN_PAGE_MAX * Math.max(1, Math.ceil(ends.seq / CHAIN_PAGE_MAX / CHECKPOINTS_MAX))
    const seqs = Array.from({ length: Math.floor(ends.seq / every) }, (_, index) => (index + 1) * every)
    // A rug pull needs no checkpoint, because it is the last entry.
    return { head: toHead(ends), every, checkpoints: await findTradeHashes(snapshot, id, seqs) }
  })
}

/**
 * Reads a page of a token's seals. This function does not check the seals, because the reader verifies them. Throws
 * `TokenNotFoundError`.
 */
export async function getSeals(reader: ChainReader, id: TokenId, after: number): Promise<SealChain> {
  return await inTurn(reader, async (snapshot) => {
    await getEnds(snapshot, id)
    const { rows } = await sql<ChainSealRow & Hashed>`
      select token_id, n, seq, user_id, until, bag_until, bag_tokens, created_at, encode(hash, 'hex') as hash
        from seals where token_id = ${id} and n > ${after} order by n limit ${CHAIN_PAGE_MAX}`.execute(snapshot)
    const { rows: heads } = await sql<{ number: number; hash: string }>`
      select seals as number, encode(seal_head, 'hex') as hash from pools
       where token_id = ${id} and seals > 0`.execute(snapshot)
    return { head: heads[0] ?? null, seals: rows.map((row) => ({ ...toChainSeal(row), hash: row.hash })) }
  })
}

async function getEnds(snapshot: Snapshot, id: TokenId): Promise<ChainEndsRow> {
  const ends = await findChainEnds(snapshot, id)
  if (ends === undefined) throw new TokenNotFoundError()
  return ends
}

function toHead({ seq, head }: ChainEndsRow): ChainPosition {
  return { seq, hash: head }
}

async function hashAt(snapshot: Snapshot, ends: ChainEndsRow, seq: number): Promise<string> {
  if (seq === 0) return computeLaunchHash(ends)
  const [trade] = await findTradeHashes(snapshot, ends.id as TokenId, [seq])
  if (trade !== undefined) return trade.hash
  const rug = await findChainRug(snapshot, ends.id as TokenId)
  if (rug?.seq !== seq) throw new NoSuchEntryError(seq)
  return rug.hash
}

/** Reads the stored entries without checking them, because the reader verifies them. */
async function readEntries(snapshot: Snapshot, ends: ChainEndsRow, { after, limit }: RowsAfter) {
  const id = ends.id as TokenId
  const trades = await findChainTrades(snapshot, id, { after, limit })
  const entries = trades.map((row) => ({ ...toChainTrade(row), hash: row.hash }))
  const rug = trades.length < limit ? await findChainRug(snapshot, id) : undefined
  return rug === undefined || rug.seq <= after ? entries : [...entries, { ...toChainRug(rug), hash: rug.hash }]
}

/** A token's launch and the last hash of its chain. Both hashes are hexadecimal. */
type ChainEndsRow = LaunchRow & { readonly seq: number; readonly head: string }

interface Hashed {
  readonly hash: string
}

/**
 * Finds the first and the last hash of a visible token's chain. Returns undefined if there is no such visible token.
 */
async function findChainEnds(snapshot: Snapshot, id: TokenId): Promise<ChainEndsRow | undefined> {
  const { rows } = await sql<ChainEndsRow>`
    select t.id, t.creator_id, t.supply, t.launch_price, t.created_at, t.name, t.symbol, p.seq,
           encode(p.chain_head, 'hex') as head
      from ${visibleTokens} t join pools p on p.token_id = t.id where t.id = ${id}`.execute(snapshot)
  return rows[0]
}

/** Finds the trades after number `after`, in order. */
async function findChainTrades(
  snapshot: Snapshot,
  id: TokenId,
  { after, limit }: RowsAfter,
): Promise<(ChainTradeRow & Hashed)[]> {
  const { rows } = await sql<ChainTradeRow & Hashed>`
    select token_id, seq, user_id, side, sol_amount, fee, token_amount, price, spot_price, sol_reserve, token_reserve,
           created_at, encode(hash, 'hex') as hash
      from trades where token_id = ${id} and seq > ${after} order by seq limit ${limit}`.execute(snapshot)
  return rows
}

async function findChainRug(snapshot: Snapshot, id: TokenId): Promise<(ChainRugRow & Hashed) | undefined> {
  const { rows } = await sql<ChainRugRow & Hashed>`
    select token_id, seq, user_id, amount, created_at, encode(hash, 'hex') as hash
      from rugs where token_id = ${id}`.execute(snapshot)
  return rows[0]
}

/** Finds the hashes of the trades with these numbers, in order. */
async function findTradeHashes(
  snapshot: Snapshot,
  id: TokenId,
  seqs: readonly number[],
): Promise<{ seq: number; hash: string }[]> {
  const { rows } = await sql<{ seq: number; hash: string }>`
    select seq, encode(hash, 'hex') as hash from trades
     where token_id = ${id} and seq = any(${seqs}::bigint[]) order by seq`.execute(snapshot)
  return rows
}

/** Reads a page of the latest publication of hashes. Throws `NotPublishedError` if there is no publication yet. */
export async function latestHeads({ platform: { db } }: AppPart<'db'>, page: RowsAfter): Promise<Heads> {
  const hour = await lastHour(db)
  if (hour === null) throw new NotPublishedError('yet')
  return await headsAt({ platform: { db } }, hour, page)
}

/** Reads a page of the publication of an hour, which never changes. Throws `NotPublishedError`. */
export async function headsAt({ platform: { db } }: AppPart<'db'>, hour: Date, page: RowsAfter): Promise<Heads> {
  const publication = await findPublication(db, hour)
  if (publication === undefined) throw new NotPublishedError('for this hour')
  const rows = await findHeads(db, hour, page)
  const heads = rows.map((row) => ({ ...row, tokenId: row.tokenId as TokenId }))
  const { published_at: publishedAt, tokens, previous, digest } = publication
  return {
    hour: hour.toISOString(),
    publishedAt: publishedAt.toISOString(),
    tokens,
    previous,
    digest,
    heads,
    nextAfter: heads.length < page.limit ? null : (heads.at(-1)?.tokenId ?? null),
  }
}
