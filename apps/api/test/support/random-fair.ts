import {
  AmmError,
  Decimal,
  LAUNCH_FEE,
  launchPool,
  NotPositiveError,
  type Pool,
  poolShare,
  quoteBuy,
  quoteSell,
  realSol,
  rugPool,
  type Sol,
  type Tokens,
} from '@papermoon/amm'
import type { UserId } from '@papermoon/engine'
import fc from 'fast-check'
import { FairLedger } from '../../src/features/fairs/ledger.ts'
import { type EntrantRow, rankEntrants, type Standings } from '../../src/features/fairs/results.ts'
import { FAIR_STARTS_AT } from './fair-market.ts'

const ZERO = new Decimal(0)
const FAIR_MS = 15 * 60_000
export const PLAYERS = 6
/** The player who is a house bot. */
export const HOUSE = 5

export interface FairRules {
  readonly everyoneRanks: boolean
  /** Whether the house bot's losses to another player count only up to a tenth of the stake, like a player's. */
  readonly limitsBots: boolean
  readonly stake: string
}

/** An order of a player, by index. The amount is SOL of a buy and tokens of a sale. */
export interface FairOrder {
  readonly kind: 'enter' | 'leave' | 'launch' | 'buy' | 'sell' | 'rug'
  readonly player: number
  readonly token: number
  readonly amount: Decimal
}

/**
 * `part` is in thousandths of the player's SOL or holding. In a gift, the player's neighbour loses all SOL to the
 * player.
 */
interface FairStep {
  readonly kind: FairOrder['kind'] | 'gift'
  readonly player: number
  readonly token: number
  readonly part: number
}

const KINDS = { enter: 4, leave: 1, launch: 3, buy: 9, sell: 6, rug: 1, gift: 3 }

/** Generates steps of these players, with the weight of each kind. */
export const someSteps = (player = fc.nat(PLAYERS - 1), kinds: Partial<typeof KINDS> = KINDS, least = 15) => {
  const kind = fc.oneof(...Object.entries(kinds).map(([one, weight]) => ({ weight, arbitrary: fc.constant(one) })))
  const part = fc.oneof(fc.integer({ min: 1, max: 1_000 }), fc.constantFrom(950, 1_000))
  const step = fc.record({ kind, player, token: fc.nat(3), part }) as fc.Arbitrary<FairStep>
  return fc.array(step, { minLength: least, maxLength: 2 * least, size: 'max' })
}

interface Player {
  balance: Sol
  hasLeft: boolean
  trades: number
  /** SOL traded before the last third. */
  early: Sol
}

interface Token {
  readonly creator: number
  pool: Pool
  seq: number
  readonly bags: Map<number, Tokens>
}

/** A fair in memory that uses the pools' formulas. Its ranking must equal the one computed from the database. */
export class RandomFair {
  readonly #rules: FairRules
  readonly #ids: readonly UserId[]
  readonly ledger = new FairLedger()
  readonly players = new Map<number, Player>()
  readonly tokens: Token[] = []
  #fees = ZERO
  /** Milliseconds since the start. */
  ms = 0

  constructor(rules: FairRules, ids = Array.from({ length: PLAYERS }, (_, index) => (index + 1) as UserId)) {
    this.#rules = rules
    this.#ids = ids
  }

  /**
   * Carries out all steps, and yields each order that no rule rejected. First, four players enter and one launches a
   * token. Time passes evenly until the bell.
   */
  *play(steps: readonly FairStep[]): Generator<FairOrder> {
    for (const player of [0, 1, 2, 3]) yield* this.#try({ kind: 'enter', player, token: 0, amount: ZERO })
    yield* this.#try({ kind: 'launch', player: 0, token: 0, amount: ZERO })
    for (const [index, { kind, player, token: wished, part }] of steps.entries()) {
      this.ms = Math.floor((FAIR_MS * index) / steps.length)
      const order = { player, token: wished % this.tokens.length }
      if (kind !== 'gift') {
        yield* this.#try({ ...order, kind, amount: this.#cut(order, kind, part) })
        continue
      }
      const given = { ...order, player: player ^ 1 }
      yield* this.#try({ ...order, kind: 'buy', amount: this.#cut(order, 'buy', part) })
      yield* this.#try({ ...given, kind: 'buy', amount: this.#cut(given, 'buy', 1_000) })
      for (const one of [order, given])
        yield* this.#try({ ...one, kind: 'sell', amount: this.#cut(one, 'sell', 1_000) })
    }
  }

  /** Returns a part of a player's SOL or holding. */
  #cut({ player, token }: Pick<FairOrder, 'player' | 'token'>, kind: FairOrder['kind'], part: number): Decimal {
    const whole = kind === 'sell' ? this.#bagOf(token, player) : (this.players.get(player)?.balance ?? ZERO)
    return whole
      .mul(part)
      .div(1_000)
      .toDecimalPlaces(kind === 'sell' ? 6 : 9, Decimal.ROUND_DOWN)
  }

  /** Carries out an order, and yields it unless a rule rejects it. */
  *#try(order: FairOrder): Generator<FairOrder> {
    const [player, token] = [this.players.get(order.player), this.tokens[order.token]]
    if (order.kind === 'enter' ? player !== undefined : (player?.hasLeft ?? true)) return
    try {
      this.#perform(order, player as Player, token as Token)
      yield order
    } catch (error) {
      if (!(error instanceof AmmError)) throw error
    }
  }

  #perform(order: FairOrder, player: Player, token: Token): void {
    switch (order.kind) {
      case 'enter': {
        const balance = new Decimal(this.#rules.stake)
        this.players.set(order.player, { balance, hasLeft: false, trades: 0, early: ZERO })
        return
      }
      case 'leave':
        player.hasLeft = true
        return
      case 'launch':
        if (player.balance.lt(LAUNCH_FEE)) throw new NotPositiveError()
        player.balance = player.balance.sub(LAUNCH_FEE)
        this.#fees = this.#fees.add(LAUNCH_FEE)
        this.tokens.push({ creator: order.player, pool: launchPool(), seq: 0, bags: new Map() })
        return
      case 'rug': {
        if (token.creator !== order.player) throw new NotPositiveError()
        const { drained, pool } = rugPool(token.pool)
        token.pool = pool
        player.balance = player.balance.add(drained)
        this.ledger.addRug(order.token, ++token.seq, this.#idOf(order.player))
        return
      }
      default:
        this.#trade(order, player, token)
    }
  }

  #trade({ kind, player: index, token: at, amount }: FairOrder, player: Player, token: Token): void {
    const side = kind === 'buy' ? 'buy' : 'sell'
    const { fee, pool, ...quote } = side === 'buy' ? quoteBuy(token.pool, amount) : quoteSell(token.pool, amount)
    const [sol, tokens] = 'solIn' in quote ? [quote.solIn, quote.tokensOut] : [quote.solOut, quote.tokensIn]
    token.pool = pool
    token.bags.set(index, this.#bagOf(at, index).add(side === 'buy' ? tokens : tokens.neg()))
    player.balance = player.balance.add(side === 'buy' ? sol.neg() : sol)
    player.trades++
    if (this.ms < (FAIR_MS * 2) / 3) player.early = player.early.add(sol)
    this.#fees = this.#fees.add(fee)
    const amounts = { sol: toUnits(sol, 9), fee: toUnits(fee, 9), tokens: toUnits(tokens, 6) }
    this.ledger.addTrade({ tokenId: at, seq: ++token.seq, userId: this.#idOf(index), side, ...amounts })
  }

  /** Returns the house bot, if all of its losses count. */
  get exempt(): readonly UserId[] {
    return this.#rules.limitsBots ? [] : [this.#idOf(HOUSE)]
  }

  /** Ranks the players, like `computeResults` does from the rows of a database. */
  rank(): Standings {
    const entrants = [...this.players].map(([index, player]) => this.#toRow(index, player))
    const balances = [...this.players.values()].reduce((sum, { balance }) => sum.add(balance), ZERO)
    const { stake, everyoneRanks } = this.#rules
    const sums = {
      exempt: this.exempt,
      stake: `${stake}.000000000`,
      everyoneRanks,
      qualifyUntil: new Date(FAIR_STARTS_AT.getTime() + (FAIR_MS * 2) / 3),
      stakes: new Decimal(stake).mul(this.players.size).toFixed(),
      balances: balances.toFixed(),
      fees: this.#fees.toFixed(),
      pools: this.tokens.reduce((sum, { pool }) => sum.add(realSol(pool)), ZERO).toFixed(),
    }
    return rankEntrants(entrants, sums, this.ledger)
  }

  #toRow(index: number, { balance, hasLeft, trades, early }: Player): EntrantRow {
    const standing = this.tokens.reduce(
      (sum, { pool, bags }) => sum.add(poolShare(pool, bags.get(index) ?? ZERO)),
      balance,
    )
    const isBot = index === HOUSE
    const hasQualified = isBot || this.#rules.everyoneRanks ? trades > 0 : early.gte(this.#rules.stake)
    const userId = this.#idOf(index)
    const shown = { userId, username: `player-${userId}`, isBot, hasLeft, trades }
    return { ...shown, standing: standing.toFixed(), qualifying: early.toFixed(), isRanked: !hasLeft && hasQualified }
  }

  #idOf(index: number): UserId {
    return this.#ids[index] as UserId
  }

  #bagOf(token: number, player: number): Tokens {
    return this.tokens[token]?.bags.get(player) ?? ZERO
  }
}

function toUnits(amount: Decimal, decimals: number): bigint {
  return BigInt(amount.mul(10 ** decimals).toFixed())
}
