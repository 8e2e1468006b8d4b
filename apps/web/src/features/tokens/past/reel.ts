import { patchChart, patchToken, patchTrades } from '@papermoon/live'
import type { Chart, Holder, PastMoment, PastSteps, Token, Trade, UserId } from '../../../lib/api/api.ts'
import { compareDecimals } from '../../../lib/format/compare-decimals.ts'
import type { MarketEvent } from '../../../lib/live/live-events.ts'
import { computePause, SLOW_EVENTS, type Speed } from './player.ts'

/** Where a film comes from. Each call may reject. */
export interface FilmSource {
  moment(seq: number): Promise<PastMoment>
  chart(seq: number): Promise<Chart>
  steps(after: number): Promise<PastSteps>
}

/** A page of events with the chart as it was before the first of them. */
interface Page {
  readonly steps: PastSteps
  readonly chart: Chart
}

/** Max events applied in one tick, however late it comes. */
const TICK_EVENTS_MAX = 10
/** The next page is fetched when this few events are left. */
const AHEAD = 250

/** Plays a token's events from pages that it fetches ahead. Knows no clock: its owner says the time. */
export class Reel {
  readonly #source: FilmSource
  readonly #isSlowAtRug: boolean
  #frame: Frame | null = null
  #queue: readonly MarketEvent[] = []
  #played = 0
  /** Where the page after the queue begins; null: the queue is the last. */
  #nextAfter: number | null = null
  #next: Page | null = null
  #isFetching = false
  #failure: unknown = null
  #lastSeq = 0
  /** When the last event was shown; null: never. */
  #shownMs: number | null = null

  constructor(source: FilmSource, { isSlowAtRug }: { readonly isSlowAtRug: boolean }) {
    this.#source = source
    this.#isSlowAtRug = isSlowAtRug
  }

  async open(seq: number): Promise<Frame> {
    const [moment, page] = await Promise.all([this.#source.moment(seq), this.#fetchPage(seq)])
    this.#frame = startFrame(moment, page.chart, page.steps)
    this.#take(page.steps)
    return this.#frame
  }

  /** The frame to show; null before `open` has ended. */
  get frame(): Frame | null {
    return this.#frame
  }

  get lastSeq(): number {
    return this.#lastSeq
  }

  get isOver(): boolean {
    return this.#frame !== null && this.#left === 0 && this.#nextAfter === null
  }

  /** Why the next page did not come; null while nothing failed. */
  get failure(): unknown {
    return this.#failure
  }

  /** Applies the events that are due at `nowMs`, a time in ms of any origin. */
  tick(nowMs: number, speed: Speed): void {
    let shownMs: number = this.#shownMs ?? nowMs
    for (let count = 0; count < TICK_EVENTS_MAX; count++) {
      this.#fetchAhead()
      if (this.#left === 0) this.#turn()
      const event = this.#queue[this.#played]
      if (this.#frame === null || event === undefined) {
        // Waiting for a page takes nothing from the pause after it.
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
    // Late ticks, such as those of a tab in the background, are not made up for.
    this.#shownMs = nowMs
  }

  get #left(): number {
    return this.#queue.length - this.#played
  }

  #pauseBefore(event: MarketEvent, frame: Frame, speed: Speed): number {
    const at = event.type === 'trade' ? event.trade.createdAt : event.createdAt
    // A rug pull is always the last event of its token.
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
  /** Holdings of all who may be among the largest holders until the page of steps ends. */
  readonly bags: ReadonlyMap<UserId, Bag>
  readonly holdersCount: number
}

/** The first frame of a film: a moment with its chart, and the holders of the page of steps that follows it. */
export function startFrame(moment: PastMoment, chart: Chart, steps: PastSteps): Frame {
  const { seq, time, token, trades } = moment
  return { seq, time, token, trades, chart, ...toBags(steps) }
}

function toBags({ holders, holdersCount }: PastSteps): Pick<Frame, 'bags' | 'holdersCount'> {
  return { bags: new Map(holders.map((holder) => [holder.userId, holder])), holdersCount }
}

/** The next frame. Exact but for the figures of 24 hours, since events do not say what leaves those. */
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

/** The largest holders by rank; the older account first among equals. */
export function rankHolders(bags: ReadonlyMap<UserId, Bag>): Holder[] {
  return [...bags.values()]
    .sort((a, b) => compareDecimals(b.amount, a.amount) || a.userId - b.userId)
    .slice(0, HOLDERS_MAX)
    .map((bag, index) => ({ ...bag, rank: index + 1 }))
}
