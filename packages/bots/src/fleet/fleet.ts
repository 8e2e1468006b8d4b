import type { Character } from '../cast/character.ts'
import { toMainMarketTemper } from '../cast/main-market-temper.ts'
import type { TokenStory } from '../cast/story.ts'
import { StoryTeller } from '../cast/story-teller.ts'
import type { MarketEvent } from '../market/events.ts'
import { cutSol, cutTokens, FEE, MINUTE_MS, toGrossOut, toTokensOut } from '../market/figures.ts'
import { MarketState } from '../market/market-state.ts'
import { countSealedTokens } from '../market/seal.ts'
import type { TokenStart } from '../market/token-state.ts'
import type { SelfView, TokenView } from '../market/views.ts'
import type { BotOrder, Decision } from '../orders.ts'
import { createRandom, type Random } from '../random/random.ts'
import type { Actor } from '../simulation/actor.ts'
import { SIZE_MIN } from '../strategies/acts.ts'
import { considerLaunch } from '../strategies/consider-launch.ts'
import { LAUNCHING, STRATEGIES, type Strategies } from '../strategies/registry.ts'
import { toWaryTemper } from '../strategies/wary-temper.ts'
import { Arrivals } from './arrivals.ts'
import { Attention } from './attention.ts'
import { Departures, type Holding } from './departures.ts'
import { Exposure } from './exposure.ts'
import { MemberError } from './member-error.ts'
import { planReactions, planSecondLook } from './reactions.ts'
import { SelfState } from './self-state.ts'
import { type Wake, WakeQueue } from './wake-queue.ts'

export interface FleetMember {
  readonly userId: number
  readonly character: Character
  /** Balance in SOL. */
  readonly balance: number
}

export interface FleetOptions {
  readonly seed: number | string
  readonly members: readonly FleetMember[]
  readonly startMs: number
  /** Mean number of looks at the market per second, by all bots together, over a day. */
  readonly looksPerSecond?: number
  /** Strategies by name (default: the strategies of this package). */
  readonly strategies?: Strategies
  /** Whether the house's possible loss is limited, and thus the bots' buys. */
  readonly isBounded?: boolean
}

export interface KnownBag {
  readonly userId: number
  readonly tokenId: number
  readonly amount: number
  readonly cost: number
  readonly boughtAtMs: number
}

const LOOKS_PER_SECOND = 0.75
/** Max slippage of an order, as a fraction. */
const SLIPPAGE = 0.01
/** Part of all looks in which a bot looks at one of its own tokens. */
const OWN_BAG_SHARE = 0.4
/** Excitement that a stranger's trade adds, relative to a bot's look at the market. */
const STRANGER_EXCITEMENT = 0.5

const QUICK_MS = 30 * MINUTE_MS
/**
 * Min and max part of a holding that a leaving fleet sells at once. The part is small, so that the price does not
 * crash.
 */
const LEAVING_PORTION = [0.15, 0.35] as const
/** Min and max part of a holding to sell at once when there is little time left. */
const DEPARTING_PORTION = [0.3, 1] as const
/**
 * Thresholds in SOL. A leaving fleet sells a holding below `whole` completely, and a holding below `nothing` not at
 * all.
 */
const LEAVING_REST = { whole: 0.05, nothing: 1e-6 }

interface Member {
  readonly self: SelfState
  readonly character: Character
  readonly random: Random
  /** Time until which the bot does nothing, in Unix ms. */
  pausedUntilMs: number
}

/**
 * Decides for all house bots of a market which tokens they look at, when they look, and what they order. The same seed
 * and events always give the same orders. The fleet does no I/O, so it can run on a real or a simulated clock
 * (`simulate`).
 */
export class Fleet implements Actor {
  readonly market: MarketState
  readonly exposure: Exposure
  readonly #members: readonly Member[]
  readonly #indexes = new Map<number, number>()
  readonly #random: Random
  readonly #arrivals: Arrivals
  readonly #attention: Attention
  readonly #wakes = new WakeQueue()
  readonly #departures: Departures
  /** Running sums of the bots' activity. The fleet uses these sums to draw a random bot. */
  readonly #activity: Float64Array
  readonly #strategies: Strategies
  readonly #isBounded: boolean
  /** Indexes of the bots that buy new tokens first and sell them soon. */
  readonly #quick: readonly number[]
  readonly #stories: StoryTeller
  #story: TokenStory

  constructor(options: FleetOptions) {
    const { seed, members, startMs, looksPerSecond = LOOKS_PER_SECOND } = options
    this.#strategies = options.strategies ?? STRATEGIES
    this.#isBounded = options.isBounded ?? true
    const random = createRandom(seed)
    const isHouse = (userId: number) => this.#indexes.has(userId)
    this.#random = random.fork('fleet')
    this.#members = members.map(({ userId, character, balance }) => ({
      self: new SelfState(userId, balance),
      character: this.#isBounded ? { ...character, temper: toMainMarketTemper(character) } : character,
      random: random.fork(character.name),
      pausedUntilMs: startMs,
    }))
    for (const [index, { userId }] of members.entries()) this.#indexes.set(userId, index)
    this.#quick = [...members.keys()].filter((index) => isQuick(members[index]))
    this.#activity = toSums(members.map(({ character }) => character.temper.activity))
    this.#arrivals = new Arrivals(random.fork('arrivals'), startMs, looksPerSecond)
    this.#attention = new Attention(random.fork('attention'), isHouse)
    this.exposure = new Exposure(isHouse, startMs)
    this.#departures = new Departures(random.fork('departures'), this.#isBounded ? startMs : Number.POSITIVE_INFINITY)
    this.market = new MarketState({ isPinned: (tokenId) => this.#members.some(({ self }) => self.bags.has(tokenId)) })
    this.#stories = new StoryTeller(random.fork('stories'))
    this.#story = this.#stories.tell()
  }

  get nextAtMs(): number {
    return Math.min(this.#arrivals.nextAtMs, this.#wakes.nextAtMs, this.#departures.nextAtMs)
  }

  /** Returns a bot's holdings, or undefined if the user is not in the fleet. */
  findSelf(userId: number): SelfView | undefined {
    const index = this.#indexes.get(userId)
    return index === undefined ? undefined : this.#members[index]?.self
  }

  /** Corrects a bot's balance, for example after a grant. */
  setBalance(userId: number, sol: number): void {
    const member = this.#findMember(userId)
    if (member !== undefined) member.self.balance = sol
  }

  /** Adds a token from before the first event, for example one from the database. */
  addToken(start: TokenStart): void {
    this.market.addToken(start)
    this.#noteStory(start)
    if (!start.isRugged) this.#findMember(start.creatorId)?.self.createdTokens.push(start.id)
    const token = this.market.findToken(start.id)
    if (token !== undefined) this.exposure.addToken(token)
  }

  /** Adds a holding from before the first event, unless its token is rugged. Call `addToken` first. */
  addBag({ userId, ...bag }: KnownBag): void {
    const token = this.market.findToken(bag.tokenId)
    if (token === undefined || token.isRugged) return
    this.#findMember(userId)?.self.bags.set(bag.tokenId, bag)
    this.exposure.addBag(token, bag)
  }

  /** Prevents a bot from acting for some time, for example after its strategy threw. */
  rest(userId: number, untilMs: number): void {
    const member = this.#findMember(userId)
    if (member !== undefined) member.pausedUntilMs = untilMs
  }

  /**
   * Returns the next order, if there is one. Throws `MemberError` if the strategy throws. The caller can then call
   * `act` again.
   */
  act(nowMs: number): BotOrder | null {
    if (this.#departures.nextAtMs <= nowMs) return this.#depart(nowMs)
    if (this.#wakes.nextAtMs <= nowMs) {
      const wake = this.#wakes.pop() as Wake
      // If the process paused, skip the looks that it missed.
      if (wake.atMs < nowMs - MINUTE_MS) return null
      return this.#look(wake.member, this.market.findToken(wake.tokenId), nowMs)
    }
    this.#arrivals.advance(nowMs)
    const index = this.#drawMember()
    const bag = this.#drawBag(index)
    if (bag === undefined) return this.#look(index, this.#attention.pick(this.market, nowMs), nowMs)
    // A bot that looks at one of its own tokens may only sell.
    const order = this.#look(index, this.market.findToken(bag), nowMs)
    if (order?.kind !== 'buy') return order
    this.refused(order)
    return null
  }

  /**
   * Returns a sale of a token that the house must sell by a deadline. This sale does not depend on the bot's strategy.
   */
  #depart(nowMs: number): BotOrder | null {
    const departure = this.#departures.choose(this.#findHoldings(nowMs), nowMs)
    if (departure === null) return null
    const { member, tokenId, isUrgent } = departure
    const { self } = this.#members[member] as Member
    const isLittle = this.#toWorth(tokenId, self.bags.get(tokenId)?.amount ?? 0) < LEAVING_REST.whole
    const portion = isUrgent || isLittle ? 1 : this.#random.uniform(...DEPARTING_PORTION)
    const order = this.#toOrder({ kind: 'sell', tokenId, portion }, self, nowMs)
    if (order?.kind !== 'sell') return null
    self.isWaiting = true
    return isUrgent ? { ...order, minSolOut: 0 } : order
  }

  #findHoldings(nowMs: number): readonly Holding[] {
    const holdings: Holding[] = []
    for (const token of this.market.tokens) {
      const leaveByMs = this.exposure.mustLeaveBy(token, nowMs)
      if (leaveByMs === null) continue
      for (const [member, { self }] of this.#members.entries()) {
        if (self.bags.has(token.id) && !self.isWaiting) holdings.push({ member, tokenId: token.id, leaveByMs })
      }
    }
    return holdings
  }

  /**
   * Returns the next sale of a leaving fleet, from a random holding, and the pause after it, or null if no holding can
   * be sold.
   */
  leave(nowMs: number, meanPauseMs: number): { readonly order: BotOrder; readonly pauseMs: number } | null {
    const bags = this.#members.flatMap(({ self }) => {
      const worths = Array.from(self.bags.keys(), (tokenId) => ({
        tokenId,
        sol: this.#toWorth(tokenId, this.#countSellable(self, tokenId, nowMs)),
      }))
      return worths.filter(({ sol }) => sol > LEAVING_REST.nothing).map((bag) => ({ self, ...bag }))
    })
    if (bags.length === 0) return null
    const { self, tokenId, sol } = this.#random.pick(bags)
    const portion = sol < LEAVING_REST.whole ? 1 : this.#random.uniform(...LEAVING_PORTION)
    const order = this.#toOrder({ kind: 'sell', tokenId, portion }, self, nowMs)
    return order === null ? null : { order, pauseMs: this.#random.exponential(meanPauseMs) }
  }

  observe(event: MarketEvent): void {
    this.market.apply(event)
    const token = this.market.findToken(event.tokenId)
    this.exposure.observe(event, token)
    const userId = event.type === 'launch' ? event.creatorId : event.userId
    const index = this.#indexes.get(userId)
    if (index !== undefined) this.#observeOwn(index, event, token)
    if (event.type === 'launch') this.#noteStory(event)
    if (event.type === 'rug') for (const { self } of this.#members) self.bags.delete(event.tokenId)
    if (event.type !== 'trade') this.#attention.invalidate()
    else if (index === undefined) this.#arrivals.excite(event.atMs, STRANGER_EXCITEMENT)
    if (token !== undefined && index === undefined) planReactions(this.#wakes, event, token, this.#findReactors())
  }

  refused(order: BotOrder): void {
    const member = this.#findMember(order.userId)
    if (member !== undefined) member.self.isWaiting = false
    if (order.kind === 'buy') this.exposure.reserve(order.tokenId, -order.sol)
  }

  #observeOwn(index: number, event: MarketEvent, token: TokenView | undefined): void {
    const { self } = this.#members[index] as Member
    // Ignore the end of a seal, because a bot waits for the result of an order, and no order ends a seal.
    if (event.type !== 'seal' || event.kind !== 'expired') self.isWaiting = false
    if (event.type === 'launch') self.applyLaunch(event)
    else if (event.type === 'rug') self.applyRug(event)
    else if (event.type === 'trade') {
      // In the main market, only the first buy of a token causes another look, because bots have much SOL there.
      const isExciting = !this.#isBounded || !self.bags.has(event.tokenId)
      self.applyTrade(event)
      if (event.side === 'buy' && isExciting) {
        planSecondLook(this.#wakes, event, { index, token, random: this.#random })
      }
    }
  }

  #look(index: number, token: TokenView | undefined, nowMs: number): BotOrder | null {
    const member = this.#members[index] as Member
    const { self } = member
    if (self.isWaiting || nowMs < member.pausedUntilMs) return null
    const decision = this.#decide(member, token, nowMs)
    const order = decision === null ? null : this.#toOrder(decision, self, nowMs)
    if (order !== null) self.isWaiting = true
    return order
  }

  #decide({ self, character, random }: Member, token: TokenView | undefined, nowMs: number): Decision | null {
    const { strategy: name, temper } = character
    const view = { market: this.market, temper, story: this.#story }
    try {
      const isHonest = name !== 'rugPuller'
      const launch = LAUNCHING.has(name) ? considerLaunch({ ...view, isHonest }, self, random, nowMs) : null
      if (launch !== null || token === undefined || token.isRugged) return launch
      const strategy = this.#strategies[name]
      if (strategy === undefined) throw new RangeError(`There is no strategy ${name}.`)
      // The bots are not wary of the house's own tokens, because no stranger profits from them.
      const isOwn = this.#indexes.has(token.creatorId)
      const wary = isOwn ? temper : toWaryTemper(temper, token, nowMs)
      return strategy({ ...view, token, temper: wary }, self, random, nowMs)
    } catch (error) {
      throw new MemberError(self.id, error)
    }
  }

  #toOrder(decision: Decision, self: SelfState, nowMs: number): BotOrder | null {
    const userId = self.id
    if (decision.kind === 'launch') {
      this.#story = this.#stories.tell()
      return { ...decision, userId, initialBuy: cutSol(decision.initialBuy) }
    }
    const { kind, tokenId } = decision
    const token = this.market.findToken(tokenId)
    if (token === undefined) return null
    if (kind === 'rug' || kind === 'seal') return { ...decision, userId }
    if (kind === 'sell') {
      const amount = this.#countSellable(self, tokenId, nowMs)
      const tokens = decision.portion >= 1 ? amount : cutTokens(amount * decision.portion)
      const sol = this.#toWorth(tokenId, tokens)
      return tokens > 0 ? { kind, userId, tokenId, tokens, minSolOut: cutSol(sol * (1 - SLIPPAGE)) } : null
    }
    const allowed = this.#isBounded ? this.exposure.limitBuy(token, decision.sol, nowMs) : decision.sol
    const sol = cutSol(allowed)
    if (sol < SIZE_MIN || sol > self.balance) return null
    this.exposure.reserve(tokenId, sol)
    const tokens = toTokensOut(token.solReserve, token.tokenReserve, sol)
    return { kind: 'buy', userId, tokenId, sol, minTokensOut: cutTokens(tokens * (1 - SLIPPAGE)) }
  }

  /** Returns how many tokens in a bot's holding are not sealed. */
  #countSellable(self: SelfView, tokenId: number, nowMs: number): number {
    const amount = self.bags.get(tokenId)?.amount ?? 0
    const token = this.market.findToken(tokenId)
    if (token === undefined || token.creatorId !== self.id) return amount
    return Math.max(0, amount - countSealedTokens(token.seal, nowMs))
  }

  /** Returns the SOL that selling these tokens would pay, or 0 if the token is not traded. */
  #toWorth(tokenId: number, tokens: number): number {
    const token = this.market.findToken(tokenId)
    if (token === undefined || token.isRugged) return 0
    return toGrossOut(token.solReserve, token.tokenReserve, tokens) * (1 - FEE)
  }

  /** Replaces a bot's planned story if another token already has the name, because players would confuse the tokens. */
  #noteStory({ name, symbol }: { readonly name: string; readonly symbol: string }): void {
    this.#stories.note(name)
    this.#stories.note(symbol)
    if (this.#story.name === name || this.#story.symbol === symbol) this.#story = this.#stories.tell()
  }

  #drawMember(): number {
    const drawn = this.#random.next() * (this.#activity.at(-1) ?? 0)
    let index = 0
    while (drawn >= (this.#activity[index] as number)) index++
    return index
  }

  /** Returns one of the bot's own tokens in a part of the looks, and nothing in the other looks. */
  #drawBag(index: number): number | undefined {
    const { bags } = (this.#members[index] as Member).self
    if (bags.size === 0 || !this.#random.chance(OWN_BAG_SHARE)) return undefined
    let rest = this.#random.int(bags.size)
    for (const tokenId of bags.keys()) if (rest-- === 0) return tokenId
    return undefined
  }

  #findReactors() {
    return { quick: this.#quick, memberCount: this.#members.length, random: this.#random }
  }

  #findMember(userId: number): Member | undefined {
    const index = this.#indexes.get(userId)
    return index === undefined ? undefined : this.#members[index]
  }
}

const isQuick = (member: FleetMember | undefined) =>
  member !== undefined && member.character.temper.patienceMs <= QUICK_MS

function toSums(weights: readonly number[]): Float64Array {
  const sums = new Float64Array(weights.length)
  let sum = 0
  for (const [index, weight] of weights.entries()) {
    sum += weight
    sums[index] = sum
  }
  return sums
}
