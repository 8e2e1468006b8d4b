import { Decimal, parseSol } from '@papermoon/amm'
import type { BuyOrder, SellOrder, TokenId, UserId } from '@papermoon/engine'
import type { Market } from '@papermoon/engine/bulk'
import { randomInt } from '../random.ts'

const BUY_MIN = parseSol('0.001')
/** Balance in SOL below which players sell instead of buying. */
const POOR = parseSol('1')
const DUST = new Decimal(1)

export interface Choice {
  readonly market: Market
  readonly players: number
  readonly tokenId: TokenId
  /** Number of trades that the plan has for the token. The token has a quarter as many traders as trades. */
  readonly trades: number
  readonly random: () => number
}

/** Chooses a valid buy or sale of a token by one of its traders. Some traders place more orders than others. */
export function chooseOrder({ market, players, tokenId, trades, random }: Choice): BuyOrder | SellOrder {
  const traders = Math.min(players, Math.max(3, Math.ceil(trades / 4)))
  const first = tokenId * 7_919 + Math.floor(traders * random() ** 2)
  for (let other = 0; other < players; other++) {
    const userId = (((first + other) % players) + 1) as UserId
    const { amount } = market.position(tokenId, userId)
    const balance = market.account(userId)?.balance ?? new Decimal(0)
    if (amount.gt(DUST) && (balance.lt(POOR) || random() < 0.47)) {
      const part = random() < 0.25 ? amount : amount.mul(10 + randomInt(random, 80)).mul('0.01')
      return { kind: 'sell', userId, tokenId, tokens: Decimal.max(part.toDecimalPlaces(6), DUST) }
    }
    if (balance.gte(BUY_MIN)) {
      const sol = balance.mul(2 + randomInt(random, 48)).mul('0.001')
      return { kind: 'buy', userId, tokenId, sol: Decimal.max(sol.toDecimalPlaces(9), BUY_MIN) }
    }
  }
  throw new Error('every player has lost everything')
}
