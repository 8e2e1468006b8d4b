import type { Decided, FoundThing, HideTokenInput } from '@papermoon/contract/admin'
import type { Tx } from '@papermoon/db'
import { type TokenId, TokenNotFoundError, type UserId } from '@papermoon/engine'
import { sql } from 'kysely'
import type { App } from '../../context.ts'
import { lockPlayer, setHidden } from './acts.ts'
import { findRole, getMarketDb, toActingRole } from './decide.ts'
import { type Act, recordAct } from './log.ts'

const LISTED_MAX = 50

interface Hiding extends Pick<Act, 'actor' | 'reason' | 'now'> {
  readonly tokenId: TokenId
  readonly isHidden: boolean
}

/**
 * Hides a token, or lists it again, logs the act and notifies the token's creator. Returns the log row's id. Throws
 * `TokenNotFoundError`.
 */
export async function hideToken(tx: Tx, { tokenId, isHidden, ...by }: Hiding): Promise<number> {
  const token = await tx
    .selectFrom('tokens')
    .select(['creator_id', 'name'])
    .where('id', '=', tokenId)
    .executeTakeFirst()
  if (token === undefined) throw new TokenNotFoundError()
  await lockPlayer(tx, token.creator_id)
  const wasHidden = Number(await setHidden(tx, tokenId, isHidden))
  return await recordAct(tx, {
    ...by,
    act: isHidden ? 'hide' : 'unhide',
    kind: 'token',
    targetId: tokenId,
    concernedId: token.creator_id,
    detail: { wasHidden },
    words: token.name,
  })
}

/** Finds the market's tokens by a part of the name or symbol, or by id, including hidden ones. */
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

/** Hides a token or lists it again. Throws `TokenNotFoundError`. */
export async function hideByModerator(app: App, userId: UserId, input: HideTokenInput): Promise<Decided> {
  const { db, clock } = app.platform
  const by = { actor: { userId, as: toActingRole(await findRole(db, userId)) }, now: clock.now() }
  const hiding = { ...by, ...input, tokenId: input.tokenId as TokenId }
  const market = getMarketDb(app, 'token', input.tokenId)
  return { logId: await market.transaction().execute((tx) => hideToken(tx, hiding)) }
}
