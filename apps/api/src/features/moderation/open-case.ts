import type { CaseKind, Tx } from '@papermoon/db'
import { sql } from 'kysely'

interface NewCase {
  readonly kind: CaseKind
  readonly targetId: number
  readonly accusedId: number | null
  readonly fairId: number | null
  /** The current text, because its author may change or delete it. */
  readonly words: string
  readonly heldFor?: string | null
  readonly now: Date
}

/** Returns the id of a thing's open case, and opens a case if there is none. */
export async function openCase(
  tx: Tx,
  { kind, targetId, accusedId, fairId, words, heldFor = null, now }: NewCase,
): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    insert into cases (kind, target_id, accused_user_id, fair_id, words, held_for, opened_at)
    values (${kind}, ${targetId}, ${accusedId}, ${fairId}, ${words}, ${heldFor}, ${now})
    on conflict (kind, target_id) where decided_at is null do update set kind = cases.kind
    returning id`.execute(tx)
  const [opened] = rows
  if (opened === undefined) throw new Error('a case was not opened')
  return opened.id
}
