import type { App } from '../../context.ts'
import type { TokenId } from '../../ids.ts'
import type { Holder } from './schemas.ts'

/** The largest holders of a token by rank, at most 20. Throws `TokenNotFoundError`. */
export async function topHolders(_app: App, _id: TokenId): Promise<Holder[]> {
  throw new Error('not built yet')
}
