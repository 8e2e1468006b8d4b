import type { App } from '../../context.ts'
import { TokenNotFoundError } from '../../errors.ts'
import { figureText } from '../../figure-text.ts'
import type { TokenId, UserId } from '../../ids.ts'
import { HOLDERS_PAGE, type Holder } from './schemas.ts'
import { findHolders, tokenExists } from './store.ts'

/** The largest holders of a token by rank, at most 20. Throws `TokenNotFoundError`. */
export async function topHolders(app: App, id: TokenId): Promise<Holder[]> {
  const rows = await findHolders(app.db, id, HOLDERS_PAGE)
  if (rows.length === 0 && !(await tokenExists(app.db, id))) throw new TokenNotFoundError()
  return rows.map(({ user_id, username, amount }, index) => ({
    userId: user_id as UserId,
    username,
    rank: index + 1,
    amount: figureText(amount),
  }))
}
