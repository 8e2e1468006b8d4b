import type { App } from '../../context.ts'
import { TokenNotFoundError } from '../../errors.ts'
import type { Trade } from '../../events/event.ts'
import { tradeOf } from '../../events/journal-rows.ts'
import type { TokenId } from '../../ids.ts'
import { TRADES_PAGE } from './schemas.ts'
import { findTrades, tokenExists } from './store.ts'

/** The newest trades of a token, newest first, at most 50. Throws `TokenNotFoundError`. */
export async function latestTrades(app: App, id: TokenId): Promise<Trade[]> {
  const rows = await findTrades(app.db, id, TRADES_PAGE)
  if (rows.length === 0 && !(await tokenExists(app.db, id))) throw new TokenNotFoundError()
  return rows.map(tradeOf)
}
