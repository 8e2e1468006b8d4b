import type { App } from '../../context.ts'
import type { Trade } from '../../events/event.ts'
import type { TokenId } from '../../ids.ts'

/** The newest trades of a token, newest first, at most 50. Throws `TokenNotFoundError`. */
export async function latestTrades(_app: App, _id: TokenId): Promise<Trade[]> {
  throw new Error('not built yet')
}
