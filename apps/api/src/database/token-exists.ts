import type { Db } from '@papermoon/db'
import type { TokenId } from '@papermoon/engine'
import { visibleTokens } from './visible-tokens.ts'

export async function tokenExists(db: Db, id: TokenId): Promise<boolean> {
  const row = await db.selectFrom(visibleTokens.as('t')).select('id').where('id', '=', id).executeTakeFirst()
  return row !== undefined
}
