import { Decimal, type Sol } from '@papermoon/amm'
import { GAIN_PART } from '@papermoon/contract/fair-tokens'
import type { FairsDatabase } from '@papermoon/db'
import { type Kysely, sql } from 'kysely'
import { FairLedger, type LedgerTrade } from './ledger.ts'

/** Number of journal entries that are read at once. This number limits the use of memory. */
const PAGE = 20_000

const UNITS_PER_SOL = 1_000_000_000

/** An entry in the journal of a fair. The side is null for a rug pull. */
export type FairEntry = { readonly at: Date } & (LedgerTrade | (Omit<LedgerTrade, 'side'> & { readonly side: null }))

interface EntriesOfToken {
  readonly tokenId: number
  /** Each entry contains a sequence number, player, side, SOL, fee, tokens and time in Unix ms. */
  readonly entries: readonly (readonly [number, number, FairEntry['side'], string, string, string, number])[]
}

/** Adds a fair's new trades and rug pulls to a ledger; `db` must be a snapshot that is not older than the ledger. */
export async function followTrades(db: Kysely<FairsDatabase>, fairId: number, ledger: FairLedger): Promise<void> {
  const moved = await findMoved(db, fairId, ledger)
  for (let page = await readEntries(db, moved, ledger); page.length > 0; page = await readEntries(db, moved, ledger)) {
    for (const entry of page) addEntry(ledger, entry)
    if (page.length < PAGE) return
  }
}

/** Returns the journal entries of a fair, ordered by token and sequence number. */
export async function readAllEntries(db: Kysely<FairsDatabase>, fairId: number): Promise<FairEntry[]> {
  const ledger = new FairLedger()
  const moved = await findMoved(db, fairId, ledger)
  const entries: FairEntry[] = []
  for (;;) {
    const page = await readEntries(db, moved, ledger)
    for (const entry of page) {
      addEntry(ledger, entry)
      entries.push(entry)
    }
    if (page.length < PAGE) return entries
  }
}

export function addEntry(ledger: FairLedger, entry: FairEntry): void {
  if (entry.side === null) ledger.addRug(entry.tokenId, entry.seq, entry.userId)
  else ledger.addTrade(entry)
}

async function findMoved(db: Kysely<FairsDatabase>, fairId: number, ledger: FairLedger): Promise<number[]> {
  const { rows } = await sql<{ id: number; seq: number }>`
    select t.id, p.seq from tokens t join pools p on p.token_id = t.id where t.fair_id = ${fairId} and p.seq > 0`.execute(
    db,
  )
  return rows.filter(({ id, seq }) => seq > ledger.seqOf(id)).map(({ id }) => id)
}

async function readEntries(
  db: Kysely<FairsDatabase>,
  tokens: readonly number[],
  ledger: FairLedger,
): Promise<FairEntry[]> {
  if (tokens.length === 0) return []
  const known = tokens.map((tokenId) => ledger.seqOf(tokenId))
  // Select one JSON text per token, because parsing every column of every row is several times slower.
  const { rows } = await sql<EntriesOfToken>`
    with known as (select * from unnest(${tokens}::int[], ${known}::int[]) as known (token_id, last)), entries as (
      select token_id, seq, user_id, side, sol_amount as sol, fee, token_amount as tokens, created_at as at
        from known join trades using (token_id) where seq > last
      union all
      select token_id, seq, user_id, null, amount, 0.000000000, 0.000000, created_at
        from known join rugs using (token_id) where seq > last
       order by token_id, seq limit ${PAGE}
    )
    select token_id as "tokenId", json_agg(json_build_array(seq, user_id, side, sol::text, fee::text, tokens::text,
             (extract(epoch from at) * 1000)::bigint) order by seq) as entries
      from entries group by token_id order by token_id`.execute(db)
  return rows.flatMap(({ tokenId, entries }) =>
    entries.map(([seq, userId, side, sol, fee, amount, atMs]) => {
      const amounts = { sol: toUnits(sol), fee: toUnits(fee), tokens: toUnits(amount) }
      return { tokenId, seq, userId, side, ...amounts, at: new Date(atMs) }
    }),
  )
}

/** Converts the exact decimal text of a column to an integer in units of its last decimal. */
export function toUnits(numeric: string): bigint {
  return BigInt(numeric.replace('.', ''))
}

export function toSol(units: bigint): Sol {
  return new Decimal(units.toString()).div(UNITS_PER_SOL)
}

/** Returns how much of one other player's losses a score can include, for a fair with this stake. */
export function allowedGift(stake: string): bigint {
  return toUnits(stake) / BigInt(GAIN_PART)
}
