import type { FairsDatabase } from '@papermoon/db'
import { type Kysely, sql } from 'kysely'
import { FairLedger, type LedgerTrade } from './ledger.ts'
import { toUnits } from './units.ts'

/** Entries read at once: few enough for memory, enough for the database. */
const PAGE = 20_000

/** An entry of a fair's journal; a rug pull has no side. */
export interface FairEntry extends Omit<LedgerTrade, 'side'> {
  readonly side: 'buy' | 'sell' | null
  readonly at: Date
}

interface EntryRow {
  readonly tokenId: number
  readonly seq: number
  readonly userId: number
  readonly side: 'buy' | 'sell' | null
  readonly sol: string
  readonly fee: string
  readonly tokens: string
  readonly at: Date
}

/** Adds a fair's trades and rug pulls that a ledger lacks. `db` sees one state of the database, not an older one than before. */
export async function followTrades(db: Kysely<FairsDatabase>, fairId: number, ledger: FairLedger): Promise<void> {
  const moved = await findMoved(db, fairId, ledger)
  for (let page = await readEntries(db, moved, ledger); page.length > 0; page = await readEntries(db, moved, ledger)) {
    for (const entry of page) addEntry(ledger, entry)
    if (page.length < PAGE) return
  }
}

/** The entries of a fair in the order of its tokens and their numbers. */
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

export function addEntry(ledger: FairLedger, { side, ...entry }: FairEntry): void {
  if (side === null) ledger.addRug(entry.tokenId, entry.seq, entry.userId)
  else ledger.addTrade({ ...entry, side })
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
  const { rows } = await sql<EntryRow>`
    with known as (select * from unnest(${tokens}::int[], ${known}::int[]) as known (token_id, last))
    select token_id as "tokenId", seq, user_id as "userId", side, sol_amount as sol, fee, token_amount as tokens, created_at as at
      from known join trades using (token_id) where seq > last
    union all
    select token_id, seq, user_id, null, amount, 0.000000000, 0.000000, created_at from known join rugs using (token_id) where seq > last
     order by 1, 2 limit ${PAGE}`.execute(db)
  return rows.map((row) => ({ ...row, sol: toUnits(row.sol), fee: toUnits(row.fee), tokens: toUnits(row.tokens) }))
}
