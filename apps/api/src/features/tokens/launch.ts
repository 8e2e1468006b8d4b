import type { UserId } from '@papermoon/engine'
import type { App } from '../../context.ts'
import { getToken } from './get.ts'
import { DEFAULT_EMOJI, type LaunchInput, type LaunchResult } from './schemas.ts'

/**
 * Launches a token for 0.02 SOL. Makes its creator's first buy, if any, in the same transaction. Throws the engine's
 * `DomainError`s: balance, a refused first buy, busy, unknown outcome.
 */
export async function launch(app: App, userId: UserId, input: LaunchInput): Promise<LaunchResult> {
  const { initialBuyAmount: initialBuy, requestId: requestKey, emoji, ...texts } = input
  const { tokenId, isRepeat } = await app.engine.submit({
    kind: 'launch',
    userId,
    token: { ...texts, emoji: emoji ?? DEFAULT_EMOJI },
    initialBuy,
    requestKey,
  })
  return { id: tokenId, token: await getToken(app, tokenId), ...(isRepeat && { isReplayed: isRepeat }) }
}
