import { type TokenId, TokenNotFoundError } from '@papermoon/engine'
import { sql } from 'kysely'
import type { CachedKind } from '../../cache/memory.ts'
import type { AppPart } from '../../context.ts'
import { visibleTokens } from '../../database/conditions.ts'
import { toNetworkKey } from '../../security/client-address.ts'

/** How long a viewer counts after a call, in seconds. An open page calls more often. */
const SEEN_WITHIN_S = 45
/** How long after a network's call no other call of it is recorded, in seconds. */
const RECORDED_FOR_S = 10
const EXACT_MAX = 20
const CROWD_FRESH_MS = 5_000

/**
 * Numbers of viewers above `EXACT_MAX`. The numbers are cached, because they are rounded anyway. Without the cache,
 * each viewer in a crowd would count the whole crowd.
 */
const crowds: CachedKind<{ readonly others: number; readonly atMs: number }> = { name: 'crowd', sizeKb: () => 1 }

/**
 * Records that someone is viewing a token's page, and counts the viewers on all nodes. Each network counts once, even
 * if it has several tabs and accounts. Only a keyed hash of the network is stored, for at most two minutes, and the key
 * is used for nothing else. Throws `TokenNotFoundError`.
 */
export async function watchToken(
  { platform, market: { memory } }: AppPart<'db' | 'clock' | 'memory'>,
  id: TokenId,
  ip: string,
): Promise<{ watching: number }> {
  const nowMs = platform.clock.now().getTime()
  const known = memory.find(crowds, id)
  const crowd = known !== undefined && nowMs - known.atMs < CROWD_FRESH_MS ? known.others : undefined
  const { rows } = await sql<{ others: number | null }>`
    with viewer as (
      select t.id, 
             sha256(sha256(k.key || convert_to('watchers', 'UTF8')) || convert_to(${toNetworkKey(ip)}::text, 'UTF8')) as viewer
        from ${visibleTokens} t join server_keys k on k.name = 'passkey logins' where t.id = ${id}
    ), seen as (
      insert into watchers (token_id, viewer, seen_at) select id, viewer, clock_timestamp() from viewer
      on conflict (token_id, viewer) do update set seen_at = excluded.seen_at
       where watchers.seen_at < excluded.seen_at - make_interval(secs => ${RECORDED_FOR_S})
    )
    select case when ${crowd === undefined} then (select count(*)::int from watchers w
             where w.token_id = viewer.id and w.viewer <> viewer.viewer
               and w.seen_at > clock_timestamp() - make_interval(secs => ${SEEN_WITHIN_S})) end as others
      from viewer`.execute(platform.db)
  const [row] = rows
  if (row === undefined) throw new TokenNotFoundError()
  if (row.others !== null && row.others > EXACT_MAX) memory.store(crowds, id, { others: row.others, atMs: nowMs })
  return { watching: roundCount((row.others ?? crowd ?? 0) + 1) }
}

/** Rounds numbers above twenty down to two digits. */
function roundCount(count: number): number {
  if (count <= EXACT_MAX) return count
  const step = 10 ** Math.max(1, Math.floor(Math.log10(count)) - 1)
  return Math.floor(count / step) * step
}

/** Deletes viewers who have not called for a while. */
export async function forgetViewers({ platform: { db } }: AppPart<'db'>): Promise<void> {
  await sql`
    delete from watchers where seen_at < clock_timestamp() - make_interval(secs => ${SEEN_WITHIN_S})`.execute(db)
}
