import { type MarketEvent, patchChart, patchToken, patchTrades } from '@papermoon/live'
import type { Chart, Holder, PastMoment, PastSteps, Token, Trade, UserId } from '../../../lib/api/api.ts'
import { compareDecimals } from '../../../lib/format/compare-decimals.ts'

/** A player's holding. */
type Bag = Omit<Holder, 'rank'>

/** A token's page right after one event. */
export interface Frame {
  readonly seq: number
  /** ISO time of the event. */
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

/** The same moment with the holders and the chart of the next page of steps, which begins after it. */
export function turnPage(frame: Frame, chart: Chart, steps: PastSteps): Frame {
  return { ...frame, chart, ...toBags(steps) }
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
