import type { App } from '../../context.ts'
import type { TokenId, UserId } from '../../ids.ts'
import type { Position } from './schemas.ts'

/** What a player has of a token, and their SOL. Throws `TokenNotFoundError`. */
export async function positionOf(_app: App, _userId: UserId, _tokenId: TokenId): Promise<Position> {
  throw new Error('not built yet')
}
