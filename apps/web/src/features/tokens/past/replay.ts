import { patchChart, patchToken, patchTrades } from '@papermoon/live'
import type { Chart, Holder, MarketEvent, PastMoment, PastSteps, Token, Trade, UserId } from '../../../lib/api/api.ts'
import { compareDecimals } from '../../../lib/format/compare-decimals.ts'
import { computePause, SLOW_EVENTS, type Speed } from './player.ts'

/** Functions that load a replay's data, and that may reject. */
export interface ReplaySource {
  moment(seq: number): Promise<PastMoment>
  chart(seq: number): Promise<Chart>
  steps(after: number): Promise<PastSteps>
}

/** A page of events, and the chart right before its first event. */
interface Page {
  readonly steps: PastSteps
  readonly chart: Chart
}

/** Max number of events that are applied per tick, even if the tick is late. */
const TICK_EVENTS_MAX = 10
/** When only this number of events remains, the next page is fetched. */
const AHEAD = 250

/**
 * Plays a token's events from pages that it fetches in advance. The class has no clock of its own, so the caller passes
 * the time.
 */
export class Replay {
  readonly #source: ReplaySource
  readonly #isSlowAtRug: boolean
  #frame: Frame | null = null
  #queue: readonly MarketEvent[] = []
  #played = 0
  /** Sequence number before the next page, or null if the last page is already in the queue. */
  #nextAfter: number | null = null
  #next: Page | null = null
  #isFetching = false
  #failure: unknown = null
  #lastSeq = 0
  /** Time of the last event that was shown, or null before the first event. */
  #shownMs: number | null = null

  constructor(source: ReplaySource, { isSlowAtRug }: { readonly isSlowAtRug: boolean }) {
    this.#source = source
    this.#isSlowAtRug = isSlowAtRug
  }

  async open(seq: number): Promise<Frame> {
    const [moment, page] = await Promise.all([this.#source.moment(seq), this.#fetchPage(seq)])
    this.#frame = startFrame(moment, page.chart, page.steps)
    this.#take(page.steps)
    return this.#frame
  }

  /** The frame to show, or null until `open` has ended. */
  get frame(): Frame | null {
    return this.#frame
  }

  get lastSeq(): number {
    return this.#lastSeq
  }

  get isOver(): boolean {
    return this.#frame !== null && this.#left === 0 && this.#nextAfter === null
  }

  /** The error that prevented the next page, or null. */
  get failure(): unknown {
    return this.#failure
  }

  /** Applies the events that are due at `nowMs`, a time in ms with any origin. */
  tick(nowMs: number, speed: Speed): void {
    let shownMs: number = this.#shownMs ?? nowMs
    for (let count = 0; count < TICK_EVENTS_MAX; count++) {
      this.#fetchAhead()
      if (this.#left === 0) this.#turn()
      const event = this.#queue[this.#played]
      if (this.#frame === null || event === undefined) {
        // Move the time of the last event, because waiting for a page must not shorten the next pause.
        this.#shownMs = nowMs
        return
      }
      const dueMs = shownMs + this.#pauseBefore(event, this.#frame, speed)
      if (dueMs > nowMs) {
        this.#shownMs = shownMs
        return
      }
      this.#frame = applyEvent(this.#frame, event)
      this.#played++
      shownMs = dueMs
    }
    // Do not catch up after late ticks, which occur in background tabs.
    this.#shownMs = nowMs
  }

  get #left(): number {
    return this.#queue.length - this.#played
  }

  #pauseBefore(event: MarketEvent, frame: Frame, speed: Speed): number {
    const at = event.type === 'trade' ? event.trade.createdAt : event.createdAt
    // A rug pull can only be the token's last event.
    const isNearRug = this.#queue.at(-1)?.type === 'rug_pull' && this.#left <= SLOW_EVENTS
    return computePause({
      speed,
      gapMs: Date.parse(at) - Date.parse(frame.time),
      isSlow: isNearRug && this.#isSlowAtRug,
    })
  }

  #fetchAhead(): void {
    if (this.#left > AHEAD || this.#nextAfter === null || this.#next !== null || this.#isFetching) return
    if (this.#failure !== null) return
    this.#isFetching = true
    this.#fetchPage(this.#nextAfter)
      .then((page) => {
        this.#next = page
      })
      .catch((error: unknown) => {
        this.#failure = error
      })
      .finally(() => {
        this.#isFetching = false
      })
  }

  async #fetchPage(after: number): Promise<Page> {
    const [steps, chart] = await Promise.all([this.#source.steps(after), this.#source.chart(after)])
    return { steps, chart }
  }

  #turn(): void {
    if (this.#next === null || this.#frame === null) return
    this.#frame = { ...this.#frame, chart: this.#next.chart, ...toBags(this.#next.steps) }
    this.#take(this.#next.steps)
    this.#next = null
  }

  #take({ events, nextAfter, lastSeq }: PastSteps): void {
    this.#queue = events
    this.#played = 0
    this.#nextAfter = nextAfter
    this.#lastSeq = lastSeq
  }
}

type Bag = Omit<Holder, 'rank'>

/** A token's page right after one event. */
export interface Frame {
  readonly seq: number
  readonly time: string
  readonly token: Token
  readonly trades: readonly Trade[]
  readonly chart: Chart
  /** Holdings of all players who may become one of the largest holders within this page of events. */
  readonly bags: ReadonlyMap<UserId, Bag>
  readonly holdersCount: number
}

/** Creates the first frame of a replay. */
export function startFrame(moment: PastMoment, chart: Chart, steps: PastSteps): Frame {
  const { seq, time, token, trades } = moment
  return { seq, time, token, trades, chart, ...toBags(steps) }
}

function toBags({ holders, holdersCount }: PastSteps): Pick<Frame, 'bags' | 'holdersCount'> {
  return { bags: new Map(holders.map((holder) => [holder.userId, holder])), holdersCount }
}

/**
 * Returns the next frame. Everything except the 24-hour values is exact, because events do not say which trades become
 * older than 24 hours.
 */
export function applyEvent(frame: Frame, event: MarketEvent): Frame {
  const next = {
    ...frame,
    seq: event.seq,
    time: event.type === 'trade' ? event.trade.createdAt : event.createdAt,
    token: patchToken(frame.token, event).data,
    trades: patchTrades(frame.trades, event),
    chart: patchChart(frame.chart, event).data,
  }
  return event.type === 'trade' ? { ...next, ...applyHolding(frame, event.trade, event.holding) } : next
}

function applyHolding(
  { bags, holdersCount }: Frame,
  { userId, username, isBot }: Trade,
  amount: string,
): Pick<Frame, 'bags' | 'holdersCount'> {
  const after = new Map(bags)
  const held = after.delete(userId) ? 1 : 0
  const holds = compareDecimals(amount, '0') > 0 ? 1 : 0
  if (holds === 1) after.set(userId, { userId, username, isBot, amount })
  return { bags: after, holdersCount: holdersCount - held + holds }
}

const HOLDERS_MAX = 20

/** Returns the largest holders by rank. If two holdings are equal, the older account comes first. */
export function rankHolders(bags: ReadonlyMap<UserId, Bag>): Holder[] {
  return [...bags.values()]
    .sort((a, b) => compareDecimals(b.amount, a.amount) || a.userId - b.userId)
    .slice(0, HOLDERS_MAX)
    .map((bag, index) => ({ ...bag, rank: index + 1 }))
}
