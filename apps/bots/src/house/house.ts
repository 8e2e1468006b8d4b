import { type BotOrder, createRandom, Fleet, MemberError, type Random, type Strategies } from '@papermoon/bots'
import type { PapermoonClient } from '@papermoon/client'
import { isLockedOut, isTemporary, toFailure } from '../lib/failure.ts'
import type { Log } from '../lib/log.ts'
import { pause } from '../lib/pause.ts'
import { CreatorRecords } from '../market/creator-records.ts'
import { MarketFeed, type MarketListener } from '../market/market-feed.ts'
import { toBotEvent, toTokenStart } from '../market/to-bot-event.ts'
import type { MarketEvent, Token } from '../market/types.ts'
import type { Bot } from './bot.ts'
import { createHouseClient } from './house-client.ts'
import type { HouseConfig } from './house-config.ts'
import { openBots } from './open-bots.ts'
import { isSellable, planRetiringSale } from './retire.ts'

/** Longest wait until the next look at the clock: events may call for an earlier one. */
const TICK_MS = 500
/** Looks that were due longer ago than this, while the server was away, are skipped. */
const LATE_MAX_MS = 5_000
/** The event of an executed order comes within a second; after this the view is built again. */
const EVENT_MAX_MS = 30_000
/** Least time between two such builds. */
const REBUILD_LEAST_MS = 60_000
/** One account after another is read again this often, since the house may have granted SOL. */
const REFRESH_MS = 10_000
/** Mean time between two sales of all bots that leave. */
const RETIRING_MS = 5_000

export interface HouseOptions {
  readonly config: HouseConfig
  readonly log: Log
  /** Ends the house: orders under way are abandoned, which is as safe as a crash. */
  readonly signal: AbortSignal
  /** Strategies by name; those of `@papermoon/bots` by default. */
  readonly strategies?: Strategies
  /** Mean time between two sales of all bots that leave. */
  readonly retiringMs?: number
}

/**
 * All bots of a house on one server, with one subscription between them. A fleet decides; each bot has its own key and
 * places one order at a time. Nothing is kept on disk: after a restart everything needed is read from the server.
 */
export class House implements MarketListener {
  readonly #options: HouseOptions
  readonly #random: Random
  readonly #guest: PapermoonClient
  readonly #feed: MarketFeed
  readonly #records = new CreatorRecords()
  readonly #bots = new Map<number, Bot>()
  readonly #orders = new Map<Bot, Promise<void>>()
  /** Executed orders whose events have not come, oldest first, and since when. */
  readonly #unseen = new Map<string, { readonly tokenId: number; readonly seq: number; readonly sinceMs: number }>()
  #fleet: Fleet | null = null
  #builtAtMs = Number.NEGATIVE_INFINITY
  #refreshedAtMs = Date.now()
  #isOutOfStep = false
  #wasAway = false
  #isRetiring = false
  readonly #counts = { done: 0, refused: 0, unknown: 0 }

  constructor(options: HouseOptions) {
    const { config, log, signal } = options
    this.#options = options
    this.#random = createRandom(`${config.seed}/${Date.now()}`)
    this.#guest = createHouseClient(config.url)
    this.#feed = new MarketFeed({ client: this.#guest, listener: this, log, signal })
  }

  /** Trades until the signal ends it, or until every bot that was to leave has left. */
  async run(): Promise<'closed' | 'retired'> {
    const { log, signal, config } = this.#options
    for (const bot of await openBots({ config, log, signal })) this.#bots.set(bot.userId, bot)
    if (this.#bots.size === 0 && !signal.aborted) throw new Error('None of the bots has a key that the server accepts.')
    await this.#feed.start()
    await this.#build()
    if (!signal.aborted) log.info('bots are trading', { bots: this.#bots.size, tokens: this.#fleet?.market.tokenCount })
    while (!signal.aborted && !this.#isRetiring) await this.#step()
    const isRetired = !signal.aborted && (await this.#sellOut())
    // Orders under way end with the signal, and are counted.
    await Promise.all(this.#orders.values())
    await this.#guest.close()
    return isRetired ? 'retired' : 'closed'
  }

  /** Begins to sell everything, slowly; `run` resolves when nothing can be sold any more. */
  retire(): void {
    this.#isRetiring = true
  }

  /** Orders by their outcome; those that were under way at the end may have been placed or not. */
  get counts(): { readonly done: number; readonly refused: number; readonly unknown: number } {
    return this.#counts
  }

  onToken(token: Token): void {
    const fleet = this.#fleet
    if (fleet === null) return
    const isJump = fleet.market.findToken(token.id) !== undefined
    if (isJump)
      this.#isOutOfStep ||= [...this.#bots.values()].some(({ trader }) => trader.account.holdings.has(token.id))
    this.#records.add(token)
    fleet.addToken(toTokenStart(token, this.#records.count(token)))
    if (token.ruggedAt !== null) fleet.market.addRugs(token.creator.id, 1)
  }

  onEvent(event: MarketEvent): void {
    this.#unseen.delete(`${event.tokenId}:${event.seq}`)
    this.#fleet?.observe(toBotEvent(event))
  }

  onGone(): void {
    // The fleet forgets idle tokens itself, and a hidden one refuses orders.
  }

  async #step(): Promise<void> {
    const { signal } = this.#options
    const nowMs = Date.now()
    const fleet = this.#fleet
    if (fleet === null || this.#mustBuild(nowMs)) return await this.#build()
    if (!this.#feed.isCurrent) {
      this.#wasAway = true
      return await pause(TICK_MS, signal)
    }
    if (this.#wasAway) this.#skipMissed(fleet, nowMs)
    this.#refreshOne(nowMs)
    const waitMs = fleet.nextAtMs - nowMs
    if (waitMs > 0) return await pause(Math.min(waitMs, TICK_MS), signal)
    const order = this.#decide(fleet, nowMs)
    if (order !== null) this.#begin(order, fleet)
  }

  /** Asks the fleet for the next order. A bot whose strategy throws rests, longer each time; the others go on. */
  #decide(fleet: Fleet, nowMs: number): BotOrder | null {
    try {
      return fleet.act(nowMs)
    } catch (error) {
      const bot = error instanceof MemberError ? this.#bots.get(error.userId) : undefined
      if (bot === undefined) throw error
      const pauseMs = this.#rest(bot, fleet)
      const { stack } = Object((error as MemberError).cause) as { stack?: unknown }
      this.#options.log.error('a bot broke; it is started again after a pause', { bot: bot.name, pauseMs, stack })
      return null
    }
  }

  /** Keeps a bot away from the market for a while; returns for how many ms. */
  #rest(bot: Bot, fleet: Fleet): number {
    const pauseMs = Math.round(bot.fail(Date.now(), this.#random.next()))
    fleet.rest(bot.userId, Date.now() + pauseMs)
    return pauseMs
  }

  #begin(order: BotOrder, fleet: Fleet): void {
    const bot = this.#bots.get(order.userId)
    if (bot === undefined || this.#orders.has(bot)) fleet.refused(order)
    else this.#track(bot, this.#place(bot, order, fleet))
  }

  /** One thing at a time for each bot. */
  #track(bot: Bot, work: Promise<void>): void {
    const tracked = work.finally(() => this.#orders.delete(bot))
    this.#orders.set(bot, tracked)
  }

  async #place(bot: Bot, order: BotOrder, fleet: Fleet): Promise<void> {
    const { log, signal } = this.#options
    const onRepeat = ({ message }: { message: string }, attempts: number) => {
      if (attempts === 1)
        log.warn('an order is repeated until its outcome is known', { bot: bot.name, reason: message })
    }
    const outcome = await bot.trader
      .place(order, { signal, random: Math.random, onRepeat })
      .catch((error) => ({ kind: 'refused', failure: toFailure(error), attempts: 0 }) as const)
    if (outcome.attempts > 1)
      log.info('an order is settled', { bot: bot.name, outcome: outcome.kind, attempts: outcome.attempts })
    this.#counts[outcome.kind]++
    if (outcome.kind === 'done') {
      const { tokenId, seq } = outcome.answer
      if (seq === null || this.#feed.hasSeen(tokenId, seq)) return
      this.#unseen.set(`${tokenId}:${seq}`, { tokenId, seq, sinceMs: Date.now() })
      return
    }
    fleet.refused(order)
    if (outcome.kind === 'unknown') return
    const { failure } = outcome
    if (failure.reason === 'INSUFFICIENT_BALANCE') fleet.setBalance(bot.userId, Number(bot.trader.account.balance))
    if (failure.reason === 'INSUFFICIENT_TOKENS') this.#isOutOfStep = true
    if (isLockedOut(failure)) {
      const pauseMs = this.#rest(bot, fleet)
      log.warn('the server refuses a bot; it rests', { bot: bot.name, reason: failure.message, pauseMs })
    }
  }

  /** Lets looks pass that were due while the server was away: all at once they would be a burst that no market has. */
  #skipMissed(fleet: Fleet, nowMs: number): void {
    this.#wasAway = false
    while (fleet.nextAtMs < nowMs - LATE_MAX_MS) {
      const order = this.#decide(fleet, nowMs)
      if (order !== null) fleet.refused(order)
    }
  }

  /** Reads the account of one idle bot again, each in turn. */
  #refreshOne(nowMs: number): void {
    if (nowMs < this.#refreshedAtMs + REFRESH_MS || this.#unseen.size > 0) return
    this.#refreshedAtMs = nowMs
    const [bot] = this.#bots.values()
    if (bot === undefined || this.#orders.has(bot)) return
    this.#bots.delete(bot.userId)
    this.#bots.set(bot.userId, bot)
    const refresh = bot.trader
      .refresh(this.#options.signal)
      .then(() => this.#fleet?.setBalance(bot.userId, Number(bot.trader.account.balance)))
      .catch(() => bot.trader.markStale())
    this.#track(bot, refresh)
  }

  #mustBuild(nowMs: number): boolean {
    const [oldest] = this.#unseen.values()
    if (oldest !== undefined && nowMs > oldest.sinceMs + EVENT_MAX_MS) this.#isOutOfStep = true
    return this.#isOutOfStep && nowMs > this.#builtAtMs + REBUILD_LEAST_MS
  }

  /** Builds the fleet from what the server says now: at the start, and whenever the view cannot be trusted. */
  async #build(): Promise<void> {
    const { config, signal, log, strategies } = this.#options
    const { looksPerSecond } = config
    await Promise.all(this.#orders.values())
    if (this.#fleet !== null) log.warn('the view of the market is built again')
    const bots = [...this.#bots.values()]
    for (const bot of bots)
      if (this.#fleet !== null) await bot.trader.refresh(signal).catch(() => bot.trader.markStale())
    const members = bots.map(({ userId, character, trader }) => {
      return { userId, character, balance: Number(trader.account.balance) }
    })
    this.#records.clear()
    this.#unseen.clear()
    const fleet = new Fleet({
      seed: `${config.seed}/${Date.now()}`,
      members,
      startMs: Date.now(),
      ...(strategies !== undefined && { strategies }),
      ...(looksPerSecond !== undefined && { looksPerSecond }),
    })
    this.#fleet = fleet
    await this.#feed.restart()
    for (const bot of bots) await this.#addBags(bot, fleet)
    this.#isOutOfStep = false
    this.#builtAtMs = Date.now()
  }

  async #addBags({ trader, userId }: Bot, fleet: Fleet): Promise<void> {
    for (const [tokenId, { amount, cost }] of trader.account.holdings) {
      await this.#feed.follow(tokenId)
      if (fleet.market.findToken(tokenId) === undefined) continue
      fleet.addBag({ userId, tokenId, amount: Number(amount), cost: Number(cost), boughtAtMs: Date.now() })
    }
    for (const { id, creatorId, isRugged } of fleet.market.tokens) {
      if (creatorId === userId && !isRugged) fleet.addCreated(userId, id)
    }
  }

  /** Sells bag after bag in small parts. Returns whether nothing is left that anybody would buy. */
  async #sellOut(): Promise<boolean> {
    const { log, signal, retiringMs = RETIRING_MS } = this.#options
    await Promise.all(this.#orders.values())
    log.info('the bots sell out and leave', { bots: this.#bots.size })
    const left = [...this.#bots.values()]
    while (left.length > 0 && !signal.aborted) {
      const place = this.#random.int(left.length)
      const isEmpty = await this.#sellSome(left[place] as Bot)
      if (isEmpty) left.splice(place, 1)
      else await pause(this.#random.exponential(retiringMs), signal)
    }
    return left.length === 0
  }

  /** Sells a part of one bag. Returns whether the bot has none that can be sold. */
  async #sellSome({ trader, userId, name }: Bot): Promise<boolean> {
    const { log, signal } = this.#options
    try {
      const bags = (await trader.client.api.portfolio.get.query({}, { signal })).filter(isSellable)
      if (bags.length === 0) return true
      const sale = planRetiringSale(this.#random.pick(bags), this.#random)
      const { kind } = await trader.place({ kind: 'sell', userId, ...sale }, { signal, random: Math.random })
      this.#counts[kind]++
      return false
    } catch (error) {
      const failure = toFailure(error)
      if (signal.aborted || isTemporary(failure)) return false
      // Whoever runs this process starts it again with the key's successor.
      if (failure.reason === 'API_KEY_INVALID') throw error
      log.warn('a bot cannot sell out', { bot: name, reason: failure.message })
      return true
    }
  }
}
