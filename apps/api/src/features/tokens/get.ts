import type { TokenId } from '@papermoon/engine'
import { TokenNotFoundError } from '@papermoon/engine'
import { patchToken, type Token } from '@papermoon/live'
import { type ReadingKind, withinMinute } from '../../cache/query-cache.ts'
import type { App } from '../../context.ts'
import { caughtUpBy } from './list/caught-up-by.ts'
import { token } from './schemas.ts'
import { findToken } from './store.ts'
import { tokenOf } from './token-of.ts'

const tokenReading: ReadingKind<TokenId, Token> = {
  name: 'token',
  schema: token,
  key: String,
  weigh: () => 1,
  isGood: withinMinute,
  follows: (id) => id,
  catchUp: caughtUpBy(patchToken),
}

/** One token. Throws `TokenNotFoundError`. */
export async function getToken(app: App, id: TokenId): Promise<Token> {
  return await app.readings.get(tokenReading, id, async () => {
    const row = await findToken(app.db, id, app.clock.now())
    if (row === undefined) throw new TokenNotFoundError()
    return tokenOf(row)
  })
}
