import { formatNumeric, type Tx } from '@papermoon/db'
import type { TokenId, UserId } from '@papermoon/engine'
import { sql } from 'kysely'
import { isLastFill } from '../../../events/journal.ts'
import { type PersonalCause, tellPlayers } from '../tell-players.ts'
import type { EntryRange } from './rug-pulls.ts'

/** Players are not notified about what they did themselves. */
const OWN_ACTS = ['PLAYER', 'CHANGED', 'LEFT_FAIR', 'ACCOUNT_DELETED']

/**
 * Notifies players when their waiting orders were filled, partly filled or ended, and when a stop was triggered and
 * found no buyer at its minimum price. Returns the number of notices.
 */
export async function tellOwners(
  tx: Tx,
  { after, through }: EntryRange,
  schema: 'public' | 'fairs' = 'public',
): Promise<number> {
  const [orders, pools] = [sql.table(`${schema}.waiting_orders`), sql.table(`${schema}.pools`)]
  const trades = sql.table(`${schema}.trades`)
  const { rows } = await sql<OrderRow>`
    select w.id, w.user_id, w.token_id, w.kind, w.state, w.cause, p.seq, w.least_price,
           w.kind in ('stop', 'bracket') and w.below is null and w.state = 'waiting' as is_triggered,
           exists (select from ${trades} t where ${isLastFill}) as is_fill
      from ${orders} w join ${pools} p on p.token_id = w.token_id
     where w.position > ${after} and w.position <= ${through} and (w.fills > 0 or w.state <> 'waiting' or (w.kind in ('stop', 'bracket') and w.below is null))
       and coalesce(w.cause, '') <> all(${OWN_ACTS}::text[])
     order by w.position`.execute(tx)
  return await tellPlayers(tx, rows.map(toCause))
}

interface OrderRow {
  readonly id: number
  readonly user_id: UserId
  readonly token_id: TokenId
  readonly kind: string
  readonly state: string
  readonly cause: string | null
  readonly seq: number
  readonly least_price: string | null
  readonly is_triggered: boolean
  readonly is_fill: boolean
}

function toCause({ id, user_id, token_id, kind, state, cause, seq, ...stop }: OrderRow): PersonalCause {
  const waitsAt = stop.is_triggered && !stop.is_fill && stop.least_price !== null ? formatNumeric(stop.least_price) : ''
  return {
    userId: user_id,
    kind: 'order',
    // A trigger and the later fill are two separate notices.
    key: stop.is_triggered && !stop.is_fill ? `order ${id} triggered` : `order ${id}`,
    tokenId: token_id,
    actorId: null,
    seq,
    detail: { kind, state, cause: cause ?? '', waitsAt },
  }
}
