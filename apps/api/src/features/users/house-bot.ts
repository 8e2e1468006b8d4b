import {
  CHARACTERS,
  GIFT_SOL,
  HOUSE_RISK_PER_DAY_SOL,
  LEAVE_MS,
  SEALED_TOKEN_SOL,
  type StrategyName,
  TOKEN_MAX_SOL,
} from '@papermoon/bots'
import type { HouseBot } from '@papermoon/contract/users'
import type { UserId } from '@papermoon/engine'
import type { AppPart } from '../../context.ts'
import { UserNotFoundError } from './store.ts'

const MINUTE_MS = 60_000

const PLAYS: Readonly<Record<StrategyName, string>> = {
  momentum: 'Buys tokens that rise, and sells when they fall.',
  meanReversion: 'Buys after a fall, and sells after a rise.',
  marketMaker: 'Buys a little below the price that it considers fair, and sells a little above it.',
  whale: 'Makes few but large buys, only of actively traded tokens whose creator never rugged.',
  sniper: 'Buys tokens that are minutes old, and sells within minutes.',
  paperHands: 'Buys tokens that others just bought, and sells at the first small gain or loss.',
  diamondHands: 'Buys and holds, and sells a little after the price has multiplied.',
  launcher: 'Launches tokens, seals half of them, and sells its own tokens bit by bit.',
  rugPuller: 'Launches tokens, and sometimes rugs one.',
}

/** Returns the strategy of a house bot. Returns null for every player who is not a house bot. */
export async function getHouseBot({ platform: { db } }: AppPart<'db'>, id: UserId): Promise<{ bot: HouseBot | null }> {
  const user = await db.selectFrom('users').select(['username', 'kind']).where('id', '=', id).executeTakeFirst()
  if (user === undefined) throw new UserNotFoundError()
  const character = CHARACTERS.find(({ name }) => name === user.username)
  if (user.kind !== 'house' || character === undefined) return { bot: null }
  const { bagMax, greed, fear, patienceMs } = character.temper
  return {
    bot: {
      plays: PLAYS[character.strategy],
      temper: {
        bag: String(bagMax),
        gain: (greed * 100).toFixed(0),
        loss: (fear * 100).toFixed(0),
        waitMinutes: Math.round(patienceMs / MINUTE_MS),
      },
      house: {
        stranger: String(GIFT_SOL),
        kept: String(SEALED_TOKEN_SOL),
        token: String(TOKEN_MAX_SOL),
        day: String(HOUSE_RISK_PER_DAY_SOL),
        leaveMinutes: Math.round(LEAVE_MS / MINUTE_MS),
      },
    },
  }
}
