import { createRandom, StoryTeller } from '@papermoon/bots'
import { toFailure } from '../lib/failure.ts'
import type { Trader } from '../orders/trader.ts'
import { LoadError } from './load-error.ts'

/** SOL of each creator's first buy. */
const INITIAL_BUY = 0.5

interface Launches {
  readonly traders: readonly Trader[]
  readonly count: number
  readonly seed: string
  readonly signal: AbortSignal
}

/** Lets players launch tokens, one each in turn. Throws `LoadError` if the server refuses. */
export async function launchTokens({ traders, count, seed, signal }: Launches): Promise<void> {
  const stories = new StoryTeller(createRandom(`${seed}/stories`))
  for (let index = 0; index < count && !signal.aborted; index++) {
    const trader = traders[index % traders.length] as Trader
    const order = {
      kind: 'launch',
      userId: trader.account.userId,
      story: stories.tell(),
      initialBuy: INITIAL_BUY,
    } as const
    const outcome = await trader.place(order, { signal, random: Math.random }).catch((error) => {
      throw new LoadError(`A token could not be launched: ${toFailure(error).message}`)
    })
    if (outcome.kind === 'refused') throw new LoadError(`A token could not be launched: ${outcome.failure.message}`)
  }
}
