import type { UserId } from '@papermoon/engine'
import type { z } from 'zod'
import type { App } from '../../context.ts'
import type { RugResult, rugInput } from './schemas.ts'

/**
 * Pays the real SOL of a player's own token to them and closes the token for good. Throws the engine's `DomainError`s:
 * not the creator, already closed, busy, unknown outcome.
 */
export async function rug(app: App, userId: UserId, input: z.output<typeof rugInput>): Promise<RugResult> {
  const { ruggedAmount, balance, isRepeat } = await app.engine.submit({
    kind: 'rug',
    userId,
    tokenId: input.id,
    requestKey: input.requestId,
  })
  return { ruggedAmount, balance, ...(isRepeat && { isReplayed: isRepeat }) }
}
