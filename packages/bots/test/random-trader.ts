import {
  type Actor,
  type BotOrder,
  createRandom,
  type FloatVenue,
  type MarketView,
  type TokenView,
} from '../src/index.ts'

export interface RandomTraderOptions {
  readonly seed: number
  readonly userIds: readonly number[]
  readonly venue: FloatVenue
  readonly market: MarketView
  readonly fromMs: number
  readonly untilMs: number
}

const MEAN_PAUSE_MS = 20_000
const WIND_UP_MS = 60_000
/** Time of the last seal, because seals hold for an hour and later ones would outlast the test. */
const LAST_SEAL_MS = 62 * 60_000

/**
 * Creates strangers who place orders at random: launches, large and small buys, sales, seals and renewals. They rug
 * their own tokens, most often at the moment a seal ends.
 */
export function createRandomTrader({ seed, userIds, venue, market, fromMs, untilMs }: RandomTraderOptions): Actor {
  const random = createRandom(`trader ${seed}`)
  const mine = new Map<number, number>()
  const chooseOrder = (nowMs: number): BotOrder | null => {
    const [rugged] = mine
    if (nowMs >= untilMs - WIND_UP_MS && rugged !== undefined)
      return { kind: 'rug', userId: rugged[1], tokenId: rugged[0] }
    const ended = [...mine].find(([tokenId]) => isOver(market.findToken(tokenId), nowMs))
    if (ended !== undefined && random.chance(0.5)) return { kind: 'rug', userId: ended[1], tokenId: ended[0] }
    const seal = { term: 'hour', bag: random.chance(0.7) } as const
    const canSeal = nowMs < untilMs - LAST_SEAL_MS && random.chance(0.5)
    const userId = random.pick(userIds)
    const tokens = [...market.tokens].filter(({ isRugged }) => !isRugged)
    const token = tokens.length > 0 ? random.pick(tokens) : undefined
    if (token === undefined || random.chance(0.1)) {
      const story = { name: `T${random.int(1e9)}`, symbol: 'T', emoji: '🌱', description: '' }
      const initialBuy = random.chance(0.5) ? random.uniform(0.01, 3) : 0
      return { kind: 'launch', userId, story, initialBuy, ...(canSeal && { seal }) }
    }
    if (canSeal && random.chance(0.1) && mine.has(token.id)) {
      return { kind: 'seal', userId: mine.get(token.id) ?? userId, tokenId: token.id, seal }
    }
    if (random.chance(0.05) && mine.get(token.id) !== undefined) {
      return { kind: 'rug', userId: mine.get(token.id) ?? userId, tokenId: token.id }
    }
    const held = venue.holding(userId, token.id)
    if (held > 0 && random.chance(0.6)) {
      return { kind: 'sell', userId, tokenId: token.id, tokens: random.chance(0.5) ? held : held / 2, minSolOut: 0 }
    }
    const sol = Math.min(random.pareto(0.05, 0.8), venue.balance(userId) / 2)
    return { kind: 'buy', userId, tokenId: token.id, sol, minTokensOut: 0 }
  }
  const trader = {
    nextAtMs: fromMs,
    act(nowMs: number) {
      trader.nextAtMs = nowMs >= untilMs - WIND_UP_MS ? nowMs + 100 : nowMs + random.exponential(MEAN_PAUSE_MS)
      return chooseOrder(nowMs)
    },
    observe(event: Parameters<Actor['observe']>[0]) {
      if (event.type === 'launch' && userIds.includes(event.creatorId)) mine.set(event.tokenId, event.creatorId)
      if (event.type === 'rug') mine.delete(event.tokenId)
    },
  }
  return trader
}

function isOver(token: TokenView | undefined, nowMs: number): boolean {
  return token !== undefined && token.seal.liquidityUntilMs > 0 && nowMs >= token.seal.liquidityUntilMs
}
