import { DEFAULT_EMOJI, type LaunchInput, type LaunchResult, type Token } from '@papermoon/contract/tokens'
import type { MarketEvent } from '@papermoon/engine'
import { patchToken, tokenAtLaunch } from '@papermoon/live'
import type { OrderTerms } from '../../caller.ts'
import type { Context } from '../../context.ts'
import { placeOrder } from '../trading/public.ts'
import { getToken } from './get.ts'

/**
 * Launches a token for 0.02 SOL. If the creator makes a first buy, both happen in one transaction. Throws
 * `DomainError`s of the engine.
 */
export async function launch(outer: Context & OrderTerms, input: LaunchInput): Promise<LaunchResult> {
  const { initialBuyAmount: initialBuy, requestId: requestKey, emoji, seal, fairId, dryRun = false, ...texts } = input
  const ctx = fairId === undefined ? outer : { ...outer, app: outer.app.market.fairs ?? outer.app }
  const description = { ...texts, emoji: emoji ?? DEFAULT_EMOJI }
  const order = { kind: 'launch', userId: ctx.userId, token: description, initialBuy, seal, requestKey } as const
  const { receipt, events, marks } = await placeOrder(ctx, order, dryRun, fairId)
  const { tokenId } = receipt
  const token = events.length === 0 ? await getToken(ctx.app, tokenId) : { ...foreseeToken(events), ...description }
  return { id: tokenId, token, ...marks }
}

/** Returns the token that a launch would create, according to the launch's events. */
function foreseeToken([launched, ...others]: readonly MarketEvent[]): Token {
  if (launched?.type !== 'token_launched') throw new Error('a launch begins with its event')
  return others.reduce((token, event) => patchToken(token, event).data, tokenAtLaunch(launched))
}
