import { Decimal } from '@papermoon/amm'
import type { TestDatabase } from '@papermoon/db/testing'
import { sql } from 'kysely'

interface SealRow {
  readonly n: number
  readonly kind: string
  readonly seq: number
  readonly with_bag: boolean
  readonly until: Date
  readonly bag_until: Date | null
  readonly bag_tokens: string
  readonly created_at: Date
}

interface EntryRow {
  readonly seq: number
  /** Change of the creator's tokens; null for a rug pull. */
  readonly change: string | null
  readonly created_at: Date
}

/** Sentences on what of a token's past breaks a seal: by all seals that were made before, not by the last alone. */
export async function findBrokenPromises(db: TestDatabase['db'], tokenId: number): Promise<string[]> {
  const seals = (await sql<SealRow>`select * from seals where token_id = ${tokenId} order by n`.execute(db)).rows
  const { rows: entries } = await sql<EntryRow>`
    select t.seq, t.created_at, case t.side when 'buy' then t.token_amount else -t.token_amount end as change
      from trades t join tokens k on k.id = t.token_id and k.creator_id = t.user_id where k.id = ${tokenId}
     union all select seq, created_at, null from rugs where token_id = ${tokenId} order by seq`.execute(db)
  const broken = entries.flatMap((entry) => {
    const held = heldAfter(entries, entry.seq)
    const before = seals.filter(({ seq }) => seq < entry.seq)
    if (entry.change === null) return before.filter(({ until }) => until > entry.created_at).map(() => 'a sealed rug')
    if (Number(entry.change) > 0) return []
    const isBroken = ({ bag_until, bag_tokens }: SealRow) =>
      bag_until !== null && bag_until > entry.created_at && held.lt(bag_tokens)
    return before.filter(isBroken).map(({ n }) => `sale ${entry.seq} of what seal ${n} keeps`)
  })
  const chained = seals.flatMap((seal, i) => {
    const faults = checkRenewal(seals[i - 1], seal)
    const held = heldAfter(entries, seal.seq)
    if (seal.with_bag && held.gt(0) && !held.eq(seal.bag_tokens)) faults.push('another bag than was held')
    return faults.map((fault) => `seal ${seal.n}: ${fault}`)
  })
  return [...broken, ...chained]
}

function heldAfter(entries: readonly EntryRow[], seq: number): Decimal {
  return entries.filter((entry) => entry.seq <= seq).reduce((sum, { change }) => sum.add(change ?? 0), new Decimal(0))
}

function checkRenewal(before: SealRow | undefined, seal: SealRow): string[] {
  const isRenewal = before !== undefined && before.until > seal.created_at
  const faults = seal.kind === (isRenewal ? 'renewed' : 'sealed') ? [] : [`it is not ${seal.kind}`]
  if (before === undefined || !isRenewal) return faults
  if (seal.until < before.until) faults.push('shorter')
  const { bag_until: bagBefore } = before
  if (bagBefore === null || bagBefore <= seal.created_at) return faults
  if (seal.bag_until === null || seal.bag_until < bagBefore) faults.push('the bag is kept shorter')
  if (new Decimal(seal.bag_tokens).lt(before.bag_tokens)) faults.push('less of the bag is kept')
  return faults
}
