import type { Decided, FoundThing, HideTokenInput } from '@papermoon/contract/admin'
import { type TokenId, TokenNotFoundError, type UserId } from '@papermoon/engine'
import { sql } from 'kysely'
import type { App } from '../../context.ts'
import { setHidden } from '../../moderation/acts.ts'
import { appendAct } from '../../moderation/log.ts'
import { findRole, getMarketDb, toActingRole } from './decide.ts'

const LISTED_MAX = 50

/** The market's tokens by a part of the name or symbol, or by id, hidden ones included. */
export async function findTokens({ platform: { db } }: App, search: string): Promise<FoundThing[]> {
  const id = /^\d{1,9}$/.test(search) ? Number(search) : 0
  const { rows } = await sql<FoundThing>`
    select t.id, concat(t.name, ' (', t.symbol, ')') as title, concat('by ', u.username) as note,
           case when t.hidden_at is null then 'listed' else 'hidden' end as state
      from tokens t join users u on u.id = t.creator_id
     where t.id = ${id} or strpos(lower(t.name), lower(${search})) > 0 or strpos(lower(t.symbol), lower(${search})) > 0
     order by t.id = ${id} desc, length(t.name), t.id limit ${LISTED_MAX}`.execute(db)
  return rows
}

/** Hides a token, or lists it again, and logs it. Throws `TokenNotFoundError`. */
export async function hideToken(app: App, actorId: UserId, input: HideTokenInput): Promise<Decided> {
  const { tokenId, isHidden, reason } = input
  const as = toActingRole(await findRole(app.platform.db, actorId))
  const logId = await getMarketDb(app, 'token', tokenId)
    .transaction()
    .execute(async (tx) => {
      const token = await tx
        .selectFrom('tokens')
        .select(['creator_id', 'name'])
        .where('id', '=', tokenId)
        .executeTakeFirst()
      if (token === undefined) throw new TokenNotFoundError()
      const wasHidden = Number(await setHidden(tx, tokenId as TokenId, isHidden))
      return await appendAct(tx, {
        ...{ actor: { userId: actorId, as }, act: isHidden ? 'hide' : 'unhide', kind: 'token', targetId: tokenId },
        ...{ concernedId: token.creator_id, detail: { wasHidden }, words: token.name, reason },
        now: app.platform.clock.now(),
      })
    })
  return { logId }
}
