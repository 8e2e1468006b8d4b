import type { App } from '../../context.ts'
import { TokenNotFoundError } from '../../errors.ts'
import type { TokenId } from '../../ids.ts'
import type { Token } from './schemas.ts'
import { findToken } from './store.ts'
import { tokenOf } from './token-of.ts'

/** One token. Throws `TokenNotFoundError`. */
export async function getToken(app: App, id: TokenId): Promise<Token> {
  const row = await findToken(app.db, id, app.clock.now())
  if (row === undefined) throw new TokenNotFoundError()
  return tokenOf(row)
}
