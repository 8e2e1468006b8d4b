import type { App } from '../../context.ts'
import type { TokenId } from '../../ids.ts'
import type { Token } from './schemas.ts'

/** One token. Throws `TokenNotFoundError`. */
export async function getToken(_app: App, _id: TokenId): Promise<Token> {
  throw new Error('not built yet')
}
