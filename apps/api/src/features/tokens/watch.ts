import type { Database } from '@papermoon/db'
import { type TokenId, TokenNotFoundError } from '@papermoon/engine'
import { type Kysely, sql } from 'kysely'
import type { AppPart } from '../../context.ts'
import { visibleTokens } from '../../database/visible-tokens.ts'
import { toNetworkKey } from '../../security/client-address.ts'

/** An open page calls more often than this. */
const SEEN_WITHIN_S = 45
const EXACT_MAX = 20

/**
 * Notes that somebody looks at a token's page, and counts who does, over all nodes. A network counts once, however many tabs
 * and accounts it has: only a keyed hash of it is stored, for an hour at most. Throws `TokenNotFoundError`.
 */
export async function watchToken(
  { platform: { db } }: AppPart<'db'>,
  id: TokenId,
  ip: string,
): Promise<{ watching: number }> {
  const { rows } = await sql<{ others: number }>`
    with viewer as (
      select t.id, sha256(k.key || convert_to(${toNetworkKey(ip)}::text, 'UTF8')) as viewer
        from ${visibleTokens} t join server_keys k on k.name = 'passkey logins' where t.id = ${id}
    ), seen as (
      insert into watchers (token_id, viewer, seen_at) select id, viewer, clock_timestamp() from viewer
      on conflict (token_id, viewer) do update set seen_at = excluded.seen_at
    )
    select (select count(*)::int from watchers w
             where w.token_id = viewer.id and w.viewer <> viewer.viewer
               and w.seen_at > clock_timestamp() - make_interval(secs => ${SEEN_WITHIN_S})) as others
      from viewer`.execute(db)
  const [row] = rows
  if (row === undefined) throw new TokenNotFoundError()
  return { watching: roundCount(row.others + 1) }
}

/** Down to two digits above twenty. */
function roundCount(count: number): number {
  if (count <= EXACT_MAX) return count
  const step = 10 ** Math.max(1, Math.floor(Math.log10(count)) - 1)
  return Math.floor(count / step) * step
}

/** Forgets who looks no longer. */
export async function sweepWatchers(db: Kysely<Database>): Promise<void> {
  await sql`delete from watchers where seen_at < clock_timestamp() - make_interval(secs => ${SEEN_WITHIN_S})`.execute(
    db,
  )
}
