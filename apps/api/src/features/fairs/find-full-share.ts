import type { Tx } from '@papermoon/db'
import { sql } from 'kysely'

/**
 * Max number of sandboxes on a server, and also of rooms with bots and of quick arenas. Each bot acts at most 0.15
 * times a second, so all bots in rooms place at most 30 orders a second, and those in quick arenas 21.
 */
const PLACES_MAX = 20
/** Max number for one network, and for sandboxes of new accounts. */
const PLACES_OF_NETWORK_MAX = 5
const PLACES_OF_NEW_MAX = 10

/**
 * Returns which limit forbids another sandbox, room with bots or quick arena, or null if none does. A room in the lobby
 * counts from an hour before its start, but a room that is due starts in any case. Without rate limits, networks are
 * unknown, so only the server's limit applies.
 */
export async function findFullShare(tx: Tx, fair: { id: number; kind: string }, isDue = false): Promise<string | null> {
  // Lock the fairground's row, so that all nodes check one after the other.
  await sql`select from fairs where id = 1 for no key update`.execute(tx)
  const { rows } = await sql<{ taken: number; by_network: number; by_new: number }>`
    select count(*)::int as taken, count(*) filter (where other.made_from = f.made_from)::int as by_network,
           count(*) filter (where f.made_from is not null
             and least(host.created_at, other_host.created_at) > clock_timestamp() - interval '1 day')::int as by_new
      from fairs f join users host on host.id = f.host_id
        join fairs other on other.kind = f.kind and other.id <> f.id and (other.kind = 'sandbox' or other.bots > 0)
        join users other_host on other_host.id = other.host_id
     where f.id = ${fair.id} and coalesce(other.bell_at > clock_timestamp(), true) and (other.state = 'open'
       or (other.state = 'lobby' and ${!isDue} and other.starts_at < clock_timestamp() + interval '1 hour'))`.execute(
    tx,
  )
  const { taken = 0, by_network = 0, by_new = 0 } = rows[0] ?? {}
  const what = { room: 'rooms with bots', arena: 'quick arenas' }[fair.kind] ?? 'open sandboxes'
  const retry = 'Please try again when one of them has ended.'
  if (taken >= PLACES_MAX) return `This server already has ${PLACES_MAX} ${what}, which is the maximum. ${retry}`
  if (by_network >= PLACES_OF_NETWORK_MAX)
    return `Your network already has ${PLACES_OF_NETWORK_MAX} ${what}, which is the maximum. ${retry}`
  if (by_new >= PLACES_OF_NEW_MAX)
    return `New accounts already have ${PLACES_OF_NEW_MAX} ${what} on this server, which is the maximum. ${retry}`
  return null
}
