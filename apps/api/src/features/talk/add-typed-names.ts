import { MENTIONS_MAX } from '@papermoon/contract/talk'
import type { Tx } from '@papermoon/db'
import type { UserId } from '@papermoon/engine'
import { sql } from 'kysely'

export interface Words {
  readonly text: string
  readonly mentions: readonly UserId[]
}

const NAME_MAX = 32
const AT = /(?<![\p{L}\p{N}])@/gu
/** Matches the possible end of a name, which is not inside a word. */
const END = /(?<![\p{L}\p{N}](?=[\p{L}\p{N}]))(?!^)/gu

/**
 * Returns the players whom a text mentions: those given, then those whose names follow an @. Skips players across a
 * block.
 */
export async function addTypedNames(tx: Tx, userId: UserId, { text, mentions }: Words): Promise<UserId[]> {
  const typed = [...text.matchAll(AT)].slice(0, 2 * MENTIONS_MAX).map(({ index }) => listNames(text.slice(index + 1)))
  if (typed.length === 0) return [...mentions]
  const { rows } = await sql<{ id: UserId; name: string }>`
    select id, lower(username) as name from users u
     where lower(username) collate "C" = any(${typed.flat()}::text[]) and deleted_at is null
       and not exists (select from blocks b where b.user_id in (u.id, ${userId}) and b.blocked_user_id in (u.id, ${userId}))`.execute(
    tx,
  )
  const found = new Map(rows.map(({ id, name }) => [name, id]))
  const added = typed.flatMap((names) => found.get(names.find((name) => found.has(name)) ?? '') ?? [])
  return [...new Set([...mentions, ...added])].slice(0, MENTIONS_MAX)
}

/** Returns the possible names at the start of a text in lower case, longest first. */
function listNames(text: string): string[] {
  const start = text.slice(0, NAME_MAX + 1).toLowerCase()
  const ends = [...start.matchAll(END)].map(({ index }) => index).filter((end) => end <= NAME_MAX)
  return ends.reverse().map((end) => start.slice(0, end))
}
