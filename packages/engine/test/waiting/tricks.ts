import { Decimal, parseSol, parseTokens } from '@papermoon/amm'
import type { TokenId, UserId } from '@papermoon/contract/ids'
import type { PlaceOrder } from '../../src/orders.ts'
import type { TradingEngine } from '../../src/trading-engine.ts'

const HOUR_MS = 3_600_000

/** A new token, whose creator bought for 30 SOL, and the players of one trick. */
export interface TrickWorld {
  /** The trickster's accounts. */
  readonly own: readonly UserId[]
  readonly others: readonly UserId[]
  buy(userId: UserId, sol: number): Promise<void>
  /** Sells a share of the holding. Returns the SOL received. */
  sell(userId: UserId, share?: number): Promise<number>
  /**
   * Places a waiting order. `price` is relative to the current price, `least` to the stop's price; an amount of tokens
   * is a share of the holding.
   */
  wait(userId: UserId, kind: 'buy' | 'sale' | 'stop', amount: number, price: number, least?: number): Promise<void>
}

/** A way to earn with waiting orders, compared with the same trades without them. */
export interface WaitingTrick {
  readonly name: string
  /** Without `isTrick`, plays what the trickster would do instead, for comparison. */
  play(world: TrickWorld, isTrick: boolean): Promise<void>
}

export const WAITING_TRICKS: readonly WaitingTrick[] = [
  {
    name: 'front-run a stop: sell it down, buy back below',
    play: ({ others, ...world }, isTrick) =>
      sellDown({ ...world, others: others.slice(0, 1) }, { isTrick, sol: 20, least: 0.9 }),
  },
  {
    name: 'the same to a stop at any price',
    play: ({ others, ...world }, isTrick) =>
      sellDown({ ...world, others: others.slice(0, 1) }, { isTrick, sol: 20, least: 0 }),
  },
  {
    name: 'start a cascade of 20 stops, buy back below',
    play: (world, isTrick) => sellDown(world, { isTrick, sol: 2, least: 0.9 }),
  },
  {
    name: 'walk the price down through a ladder of 20 buys',
    play: async ({ own: [own], others, ...world }, isTrick) => {
      await world.buy(one(own), 30)
      for (const [index, other] of others.entries()) await world.wait(other, 'buy', 2, 0.99 - index / 100)
      for (let left = isTrick ? 20 : 1; left > 0; left--) await world.sell(one(own), 1 / left)
    },
  },
  {
    name: 'sell into one’s own limit buy',
    play: async ({ own: [own], ...world }, isTrick) => {
      await world.buy(one(own), 20)
      if (isTrick) await world.wait(one(own), 'buy', 20, 0.9)
      await world.sell(one(own))
      if (!isTrick) await world.buy(one(own), 20)
    },
  },
  {
    name: '20 sales of dust',
    play: async ({ own: [own], others: [other], ...world }, isTrick) => {
      await world.buy(one(own), 0.05)
      for (let left = isTrick ? 20 : 1; left > 0; left--) {
        await world.wait(one(own), 'sale', isTrick ? 1 / 20 : 1, 1.2)
      }
      await world.buy(one(other), 20)
    },
  },
  {
    name: '50 buys on one level by 20 accounts, before another’s',
    play: async ({ own, others: [seller, rival], ...world }, isTrick) => {
      await world.buy(one(seller), 30)
      const orders = isTrick ? Array.from({ length: 50 }, (_, index) => own[index % own.length]) : own.slice(0, 1)
      for (const account of orders) await world.wait(one(account), 'buy', 20 / orders.length, 0.9)
      await world.wait(one(rival), 'buy', 20, 0.9)
      const sol = await world.sell(one(seller))
      await world.buy(one(seller), sol)
    },
  },
]

/** The trickster sells a holding so that the others' stops follow, and buys back. Then the others do the same. */
async function sellDown(
  { own: [own], others, ...world }: TrickWorld,
  { isTrick, sol, least }: { readonly isTrick: boolean; readonly sol: number; readonly least: number },
): Promise<void> {
  for (const other of others) await world.buy(other, sol)
  await world.buy(one(own), 20)
  if (isTrick) {
    for (const [index, other] of others.entries()) await world.wait(other, 'stop', 1, 0.95 - index / 100, least)
  }
  const received = await world.sell(one(own))
  await world.buy(one(own), received)
  if (isTrick) for (const other of others) await world.buy(other, sol)
}

function one(userId: UserId | undefined): UserId {
  if (userId === undefined) throw new Error('the trick has no such player')
  return userId
}

/** The players of a trick. The first is the creator. */
interface Stage {
  readonly engine: TradingEngine
  readonly players: readonly UserId[]
  readBalance(userId: UserId): Promise<Decimal>
  readBag(userId: UserId, tokenId: TokenId): Promise<Decimal>
  readPrice(tokenId: TokenId): Promise<Decimal>
}

const OWN = 20
/** Number of players: the creator, the trickster's accounts, and as many others. */
export const TRICK_PLAYERS = 1 + 2 * OWN
const TOKEN = { name: 'Trick', symbol: 'TRICK', emoji: '🎩', description: null, website: null, x: null, telegram: null }

/**
 * Plays a trick. Returns the SOL that the trickster's accounts have gained at the end, when they have sold everything.
 */
export async function playWaitingTrick(stage: Stage, trick: WaitingTrick, isTrick: boolean): Promise<Decimal> {
  const [creator, ...rest] = stage.players
  const token = { kind: 'launch', userId: one(creator), token: TOKEN, initialBuy: parseSol('30') } as const
  const { tokenId } = await stage.engine.submit(token)
  const world = openWorld(stage, tokenId, { own: rest.slice(0, OWN), others: rest.slice(OWN, 2 * OWN) })
  const sum = async () => {
    const balances = await Promise.all(world.own.map((userId) => stage.readBalance(userId)))
    return balances.reduce((total, balance) => total.add(balance), new Decimal(0))
  }
  const before = await sum()
  await trick.play(world, isTrick)
  for (const userId of world.own) if ((await stage.readBag(userId, tokenId)).gt(1)) await world.sell(userId)
  return (await sum()).sub(before)
}

function openWorld(
  { engine, readBag, readPrice }: Stage,
  tokenId: TokenId,
  players: Pick<TrickWorld, 'own' | 'others'>,
): TrickWorld {
  const shareOf = async (userId: UserId, share: number) =>
    parseTokens((await readBag(userId, tokenId)).mul(share).toDecimalPlaces(6, Decimal.ROUND_DOWN).toFixed())
  return {
    ...players,
    buy: async (userId, sol) => {
      await engine.submit({ kind: 'buy', userId, tokenId, sol: parseSol(sol.toFixed(9)) })
    },
    sell: async (userId, share = 1) => {
      const { trade } = await engine.submit({ kind: 'sell', userId, tokenId, tokens: await shareOf(userId, share) })
      return Number(trade.solAmount)
    },
    wait: async (userId, kind, amount, part, least = 0) => {
      const at = (await readPrice(tokenId)).mul(part).toDecimalPlaces(18)
      const price = kind === 'stop' ? { price: null, stopPrice: at } : { price: at, stopPrice: null }
      const size = kind === 'buy' ? parseSol(amount.toFixed(9)) : await shareOf(userId, amount)
      const leastPrice = least === 0 ? null : at.mul(least).toDecimalPlaces(18)
      const terms: PlaceOrder['terms'] = { kind, amount: size, ...price, leastPrice }
      await engine.submit({ kind: 'place', userId, tokenId, terms, lastsMs: HOUR_MS })
    },
  }
}
