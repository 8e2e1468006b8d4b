import type { Tx } from '@papermoon/db'
import type { TokenId, UserId } from '@papermoon/engine'
import { sql } from 'kysely'
import { lockPosition } from '../notices/notice-position.ts'
import { tellPlayers } from '../notices/tell-players.ts'

interface Mention {
  readonly topic: number
  readonly user_id: UserId
  readonly named_id: UserId
}

/**
 * Tells the players whom a post names, in the transaction that shows it: in a room only those who are in it, and nobody who has
 * blocked its writer. An edit tells who was not named `before`.
 */
export async function tellMentioned(tx: Tx, id: number, before: readonly number[] = []): Promise<void> {
  const { rows } = await sql<Mention>`
    select p.topic, p.user_id, m.named_id
      from posts p cross join unnest(p.mentions) as m (named_id)
      left join fairs f on f.id = case when p.topic < 0 then -p.topic
        else (select t.fair_id from fairs.tokens t where t.id = p.topic) end
     where p.id = ${id} and m.named_id not in (p.user_id) and m.named_id <> all(${[...before]}::int[])
       and (f.id is null or f.kind not in ('room', 'sandbox') or f.host_id = m.named_id
            or exists (select from fairs.accounts a
                where a.fair_id = f.id and a.user_id = m.named_id and a.left_at is null))
       and not exists (select from blocks b where b.user_id = m.named_id and b.blocked_user_id = p.user_id)`.execute(tx)
  if (rows.length === 0) return
  await lockPosition(tx)
  await tellPlayers(
    tx,
    rows.map(({ topic, user_id, named_id }) => ({
      userId: named_id,
      kind: 'mention',
      key: `mention ${id} ${named_id}`,
      actorId: user_id,
      seq: null,
      tokenId: topic > 0 ? (topic as TokenId) : null,
      detail: { id, topic },
    })),
  )
}
