import { randomInt } from 'node:crypto'
import {
  type BotOrder,
  CHARACTERS,
  type Character,
  Fleet,
  type FleetMember,
  type FleetOptions,
  MemberError,
} from '@papermoon/bots'
import { DomainError, type MarketEvent, type OrderEntry, type UserId } from '@papermoon/engine'
import type { AppPart } from '../context.ts'
import type { LiveFeed } from '../events/live-feed.ts'
import { MINUTE_MS, sleep } from '../lib/durations.ts'
import { toBotEvent, toOrder } from './bot-orders.ts'
import type { BotTalk, Talker } from './bot-talk.ts'
import { findHouseBots } from './house-bots.ts'
import { type BotMarket, readBags, readRugs, readScoundrels, readTokenStarts } from './market-start.ts'

/** Max time in ms until the bots check the clock again. Events may make a bot look at the market sooner. */
const TICK_MS = 500
/**
 * How late in ms a look at the market may be before it is skipped. Without skipping, all late looks would come at once
 * after the machine slept.
 */
const LATE_MAX_MS = 5_000
const SKIPS_MAX = 1_000
/**
 * Min time in ms between two reads of tokens that the bots do not know. This is also the min time between two restarts
 * after the bots' data became unreliable.
 */
const READ_EVERY_MS = 1_000
/** Time between two reads of courts' verdicts, in ms. */
const VERDICTS_EVERY_MS = MINUTE_MS
const TRUST_AFTER_MS = MINUTE_MS
/** Mean time between two sales by all leaving bots, in ms. */
const RETIRING_MS = 5_000
/**
 * How long bots pause after a failure. The pause is one second at first, and doubles with each failure. After ten
 * minutes without a failure, the pause is one second again.
 */
const REST = { firstMs: 1_000, maxMs: 5 * MINUTE_MS, soundMs: 10 * MINUTE_MS }
/** The key that stands for all bots together in the list of failed bots. */
const ALL = 0
/** Errors that mean that a bot's cached balance or holdings are wrong. */
const STALE_CACHE_ERRORS: ReadonlySet<string> = new Set([
  ...['INSUFFICIENT_BALANCE', 'INSUFFICIENT_TOKENS', 'OUTCOME_UNKNOWN'],
  // These errors mean that the fair's host removed the bot.
  ...['NOT_IN_FAIR', 'FAIR_NOT_FOUND'],
])

/** The characters of the house's own bots, by name. */
export const characters: ReadonlyMap<string, Character> = new Map(CHARACTERS.map((one) => [one.name, one]))

export interface HouseApp extends AppPart<'db' | 'clock' | 'timers' | 'log'> {
  readonly market: { readonly engine: Pick<OrderEntry, 'submit'> }
  readonly live: { readonly feed: Pick<LiveFeed, 'onEvent' | 'isHidden'> }
}

export interface WorkOptions extends Pick<FleetOptions, 'looksPerSecond' | 'strategies' | 'isBounded'> {
  /** A fair other than the fairground, and the bots that entered it. */
  readonly fair?: { readonly id: number; findMembers(): Promise<readonly FleetMember[]> }
  /** How many times faster than the clock the bots' time runs (default 1). */
  readonly speed?: number
  /** Mean time between two sales by all leaving bots, in ms. */
  readonly retiringMs?: number
  /** Lets the bots post about what they did or saw. If this function is absent, the bots do not post. */
  readonly talk?: Pick<BotTalk, 'tell' | 'see'>
}

/**
 * The house bots that trade on this server. A fleet makes decisions from the feed's events, and the engine executes its
 * orders. The bots store nothing, because at a start they read everything that they know from the database.
 */
export class WorkingBots {
  readonly #app: HouseApp
  readonly #options: WorkOptions
  readonly #market: BotMarket
  readonly #orders = new Set<Promise<void>>()
  readonly #failures = new Map<number, { readonly count: number; readonly atMs: number }>()
  /**
   * The sequence number of each token at the time when the token was read. The read already included all events up to
   * this number.
   */
  readonly #seqs = new Map<number, number>()
  /** Events that arrived while tokens were being read; null if no tokens are being read. */
  #held: MarketEvent[] | null = null
  #fleet: Fleet | null = null
  #members: readonly FleetMember[] = []
  #closing: AbortController | null = null
  #ended: Promise<void> = Promise.resolve()
  #startedAtMs = 0
  #restsUntilMs = 0
  #nextReadMs = 0
  /** Time up to which the bots know courts' verdicts. */
  #verdictsUntil = new Date(0)
  #nextVerdictsMs = 0
  #isOutOfStep = false
  #isRetiring = false
  #hasRetired = false

  constructor(app: HouseApp, options: WorkOptions = {}) {
    this.#app = app
    this.#options = options
    this.#market = { db: app.platform.db, fairId: options.fair?.id ?? null, speed: options.speed ?? 1 }
  }

  get isWorking(): boolean {
    return this.#closing !== null
  }

  /** Whether the bots have sold everything after `retire`. */
  get hasRetired(): boolean {
    return this.#hasRetired
  }

  /** Starts the bots unless they are already working, or are pausing after a failure. */
  keepWorking(): void {
    if (this.#closing !== null || this.#hasRetired || Date.now() < this.#restsUntilMs) return
    const closing = new AbortController()
    this.#closing = closing
    this.#ended = this.#work(closing.signal)
      .catch((error: unknown) => {
        const pauseMs = this.#noteFailure(ALL)
        this.#restsUntilMs = Date.now() + pauseMs
        this.#app.platform.log.error({ err: error, pauseMs }, 'the bots of the house ended; they start again')
      })
      .finally(() => {
        this.#closing = null
        this.#fleet = null
      })
  }

  /** Makes the bots sell everything and leave. */
  retire(): void {
    this.#isRetiring = true
    this.keepWorking()
  }

  /** Stops the bots. The promise resolves when the engine has responded to the bots' last orders. */
  async stop(): Promise<void> {
    this.#closing?.abort()
    await this.#ended
  }

  /** Tells the fleet that a bot got a grant of SOL. */
  addGrant(userId: number, sol: number): void {
    const self = this.#fleet?.findSelf(userId)
    if (self !== undefined) this.#fleet?.setBalance(userId, self.balance + sol)
    // A start that is still running may have read the balance before the grant.
    else this.#isOutOfStep ||= sol > 0
  }

  async #work(signal: AbortSignal): Promise<void> {
    const {
      live: { feed },
      platform: { log },
    } = this.#app
    const detach = feed.onEvent((event) => this.#receive(event))
    try {
      if (!this.#isRetiring) {
        const fleet = await this.#build()
        if (fleet === null) return
        log.info({ tokens: fleet.market.tokenCount }, 'the bots of the house trade')
        while (!signal.aborted && !this.#isRetiring && !this.#mustStartAgain()) await this.#step(fleet, signal)
        await Promise.all(this.#orders)
      }
      if (this.#isRetiring) await this.#sellOut(signal)
    } finally {
      detach()
      await Promise.all(this.#orders)
    }
  }

  /** Builds the fleet from the data about bots and the market. Returns null if no bot is left. */
  async #build(): Promise<Fleet | null> {
    const { db } = this.#market
    this.#held = []
    this.#seqs.clear()
    this.#isOutOfStep = false
    this.#startedAtMs = Date.now()
    const { looksPerSecond, strategies, isBounded, fair } = this.#options
    const members = await (fair === undefined ? findActiveBots(db) : fair.findMembers())
    this.#members = members
    if (members.length === 0) return null
    const fleet = new Fleet({
      seed: Date.now(),
      members,
      startMs: this.#botNow(),
      ...(looksPerSecond !== undefined && { looksPerSecond }),
      ...(strategies !== undefined && { strategies }),
      ...(isBounded !== undefined && { isBounded }),
    })
    this.#fleet = fleet
    for (const { userId, rugs } of await readRugs(db)) fleet.market.addRugs(userId, rugs)
    this.#verdictsUntil = new Date(0)
    await this.#readVerdicts(fleet)
    await this.#readTokens(fleet, null)
    return fleet
  }

  async #readVerdicts(fleet: Fleet): Promise<void> {
    const until = new Date()
    this.#nextVerdictsMs = until.getTime() + VERDICTS_EVERY_MS
    const scoundrels = await readScoundrels(this.#market.db, this.#verdictsUntil, until)
    this.#verdictsUntil = until
    for (const userId of scoundrels) fleet.market.addRugs(userId, 1)
  }

  /**
   * Reads tokens for the bots, and passes on the events that arrived meanwhile. If `ids` is null, reads the tokens that
   * bots may want to trade.
   */
  async #readTokens(fleet: Fleet, ids: readonly number[] | null): Promise<void> {
    this.#held ??= []
    try {
      const bags = Map.groupBy(await readBags(this.#market), ({ tokenId }) => tokenId)
      for (const { seq, ...start } of await readTokenStarts(this.#market, ids)) {
        if (fleet.market.findToken(start.id) !== undefined) continue
        this.#seqs.set(start.id, seq)
        fleet.addToken(start)
        // Add only the fleet's own holdings, because holdings of others are no risk for this fleet.
        for (const bag of bags.get(start.id) ?? []) if (fleet.findSelf(bag.userId) !== undefined) fleet.addBag(bag)
      }
    } finally {
      const held = this.#held
      this.#held = null
      for (const event of held) this.#observe(event)
    }
  }

  #receive(event: MarketEvent): void {
    if (this.#held !== null) this.#held.push(event)
    else this.#observe(event)
  }

  #observe(event: MarketEvent): void {
    const fleet = this.#fleet
    const { tokenId } = event
    // A seal has no sequence number, but bots can process it twice without harm.
    const isOld = event.type !== 'seal' && event.seq <= (this.#seqs.get(tokenId) ?? -1)
    if (fleet === null || isOld || this.#app.live.feed.isHidden(tokenId)) return
    const isKnown = event.type === 'token_launched' || fleet.market.findToken(tokenId) !== undefined
    if (isKnown) fleet.observe(toBotEvent(event, this.#market.speed))
    if (!this.#isRetiring) this.#track(this.#options.talk?.see(event, () => this.#chooseWitness(event)))
    // The bots do not know this token, because it is old and nobody traded it recently. One read per second is enough
    // for such tokens.
    if (isKnown || this.#held !== null || Date.now() < this.#nextReadMs) return
    this.#nextReadMs = Date.now() + READ_EVERY_MS
    this.#track(
      this.#readTokens(fleet, [tokenId]).catch((error) => this.#app.platform.log.warn({ err: error }, 'no token read')),
    )
  }

  async #step(fleet: Fleet, signal: AbortSignal): Promise<void> {
    if (Date.now() > this.#nextVerdictsMs) {
      const reading = this.#readVerdicts(fleet)
      this.#track(reading.catch((error) => this.#app.platform.log.warn({ err: error }, 'no verdict read')))
    }
    const { speed } = this.#market
    const nowMs = this.#botNow()
    const waitMs = (fleet.nextAtMs - nowMs) / speed
    // Wait at least one turn of the event loop, so that the server can respond to calls between two orders.
    await sleep(this.#app.platform.timers, Math.min(Math.max(0, waitMs), TICK_MS), signal)
    if (waitMs > 0 || signal.aborted) return
    for (let skips = 0; fleet.nextAtMs < nowMs - LATE_MAX_MS * speed && skips < SKIPS_MAX; skips++) {
      const missed = this.#decide(fleet, nowMs)
      if (missed !== null) fleet.refused(missed)
    }
    const order = this.#decide(fleet, nowMs)
    if (order !== null) this.#track(this.#place(order, fleet))
  }

  /** Asks the fleet for its next order. If a bot's strategy throws, only this bot pauses. */
  #decide(fleet: Fleet, nowMs: number): BotOrder | null {
    try {
      return fleet.act(nowMs)
    } catch (error) {
      if (!(error instanceof MemberError)) throw error
      this.#rest(error.userId, fleet, error.cause)
      return null
    }
  }

  /** Chooses a bot that did not cause the event. */
  async #chooseWitness(event: MarketEvent): Promise<Talker | null> {
    const actorId =
      event.type === 'trade' ? event.trade.userId : event.type === 'token_launched' ? event.creator.id : null
    const others = this.#members.filter(({ userId }) => userId !== actorId)
    const chosen = others[randomInt(Math.max(1, others.length))]
    if (chosen === undefined || !(await this.#isActive(chosen.userId))) return null
    return toTalker(chosen)
  }

  #track(work: Promise<void> | undefined): void {
    if (work === undefined) return
    const tracked = work.finally(() => this.#orders.delete(tracked))
    this.#orders.add(tracked)
  }

  async #place(order: BotOrder, fleet: Fleet): Promise<void> {
    const { userId } = order
    const member = this.#members.find((one) => one.userId === userId)
    const cost = 'tokenId' in order ? fleet.findSelf(userId)?.bags.get(order.tokenId)?.cost : undefined
    try {
      if (await this.#isActive(userId)) {
        const receipt = await this.#app.market.engine.submit({ ...toOrder(order), isBot: true })
        // Make the fleet read its data again, because no event reports a sale of a hidden token.
        if (order.kind === 'sell' && this.#app.live.feed.isHidden(order.tokenId)) this.#isOutOfStep = true
        if (!this.#isRetiring && member !== undefined) await this.#options.talk?.tell(toTalker(member), receipt, cost)
        return
      }
      // At the next start, this bot is left out.
      this.#isOutOfStep = true
    } catch (error) {
      if (!(error instanceof DomainError)) this.#rest(userId, fleet, error)
      else if (STALE_CACHE_ERRORS.has(error.code)) this.#isOutOfStep = true
    }
    fleet.refused(order)
  }

  /** Returns whether the bot is active. An operator may have retired or suspended it. */
  async #isActive(userId: number): Promise<boolean> {
    const user = this.#app.platform.db
      .selectFrom('users')
      .select('standing')
      .where('id', '=', userId as UserId)
    return (await user.executeTakeFirst())?.standing === 'active'
  }

  /** Keeps a bot out of the market for some time. */
  #rest(userId: number, fleet: Fleet, error: unknown): void {
    const pauseMs = this.#noteFailure(userId)
    fleet.rest(userId, this.#botNow() + pauseMs * this.#market.speed)
    this.#app.platform.log.error({ err: error, userId, pauseMs }, 'a bot of the house broke; it rests')
  }

  /** Returns the length of the pause after this failure, in ms. */
  #noteFailure(userId: number): number {
    const nowMs = Date.now()
    const last = this.#failures.get(userId)
    const count = last === undefined || nowMs - last.atMs > REST.soundMs ? 0 : last.count
    this.#failures.set(userId, { count: count + 1, atMs: nowMs })
    return Math.min(REST.maxMs, REST.firstMs * 2 ** Math.min(count, 30))
  }

  /** Returns the current time in the bots' time, in Unix ms. */
  #botNow(): number {
    return Date.now() * this.#market.speed
  }

  #mustStartAgain(): boolean {
    return this.#isOutOfStep && Date.now() > this.#startedAtMs + TRUST_AFTER_MS
  }

  /**
   * Sells the bots' holdings one after another in small parts, until only worthless ones are left. Begins with the
   * holdings in the database, because the events of the last buys may still be missing.
   */
  async #sellOut(signal: AbortSignal): Promise<void> {
    const { retiringMs = RETIRING_MS } = this.#options
    const fleet = await this.#build()
    if (fleet === null) {
      this.#hasRetired = true
      return
    }
    this.#app.platform.log.info('the house bots are selling everything')
    while (!signal.aborted && !this.#mustStartAgain()) {
      const leaving = fleet.leave(this.#botNow(), retiringMs)
      if (leaving === null) {
        this.#hasRetired = true
        return
      }
      await this.#place(leaving.order, fleet)
      await sleep(this.#app.platform.timers, leaving.pauseMs, signal)
    }
  }
}

function toTalker({ userId, character: { strategy } }: FleetMember): Talker {
  return { userId: userId as UserId, strategy }
}

async function findActiveBots(db: BotMarket['db']): Promise<readonly FleetMember[]> {
  return (await findHouseBots(db)).flatMap(({ id, username, status, balance }) => {
    const character = characters.get(username)
    const isActive = character !== undefined && status === 'active'
    return isActive ? [{ userId: id, character, balance: Number(balance) }] : []
  })
}
