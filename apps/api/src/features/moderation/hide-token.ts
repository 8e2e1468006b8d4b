import type { Tx } from '@papermoon/db'
import { type TokenId, TokenNotFoundError } from '@papermoon/engine'
import { lockConcerned, setHidden } from './acts.ts'
import type { Act } from './log.ts'
import { recordAct } from './record-act.ts'

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
  await lockConcerned(tx, token.creator_id)
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
