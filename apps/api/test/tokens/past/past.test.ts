import type { PastChart, TokenMoment } from '@papermoon/contract/past'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { getBag } from '../../../src/features/tokens/past/bag.ts'
import { findDueTokens, writeNextCheckpoint } from '../../../src/features/tokens/past/checkpoint-writer.ts'
import { findMomentAt, getMoment } from '../../../src/features/tokens/past/moment.ts'
import { getPastChart } from '../../../src/features/tokens/past/past-chart.ts'
import { getSteps } from '../../../src/features/tokens/past/steps.ts'
import { type RecordedMarket, type Recording, recordMarket } from './recorded-market.ts'

/**
 * The number of trades between checkpoints. It is far below the job's, so that a short market gets many checkpoints.
 */
const SPACING = 5

const plans = [
  { name: 'few players', seed: 1, players: 3, tokens: 2, events: 60, rugs: 1 },
  { name: 'more players than the list of holders shows', seed: 2, players: 24, tokens: 1, events: 45, rugs: 0 },
]

describe.each(plans)('the past of a market of $name', (plan) => {
  let recorded: RecordedMarket
  beforeAll(async () => {
    recorded = await recordMarket(plan)
  })
  afterAll(() => recorded?.market.close())

  const findLastSeq = ({ tokenId }: Recording) =>
    Math.max(...recorded.recordings.filter((each) => each.tokenId === tokenId).map(({ seq }) => seq))

  async function comparePages(): Promise<void> {
    expect(recorded.recordings.length).toBeGreaterThan(plan.events / 2)
    for (const recording of recorded.recordings) {
      const { tokenId, seq, token, holders, holdersCount, trades } = recording
      const moment = await getMoment({ app: recorded.app, ip: '' }, { tokenId, seq })
      expect(moment).toEqual({
        tokenId,
        seq,
        token,
        holders,
        holdersCount,
        trades,
        event: toEvent(recording),
        time: new Date(recording.atMs).toISOString(),
        lastSeq: findLastSeq(recording),
        previousSeq: seq === 0 ? null : seq - 1,
        nextSeq: seq === findLastSeq(recording) ? null : seq + 1,
      })
    }
  }

  async function compareChart({ tokenId, seq }: Recording, chart: PastChart): Promise<void> {
    const { timeframe } = chart
    const past = await getPastChart({ app: recorded.app, ip: '' }, { tokenId, seq, timeframe })
    expect(past, `${seq} ${timeframe}`).toEqual(chart)
  }

  it('has every kind of event to show', () => {
    const kinds = new Set(recorded.recordings.map((recording) => toEvent(recording).type))
    expect(recorded.rugs).toBeGreaterThanOrEqual(plan.rugs)
    expect([...kinds].sort()).toEqual(recorded.rugs > 0 ? ['launch', 'rug', 'trade'] : ['launch', 'trade'])
  })

  it('shows the page as it was after every event', comparePages)
  it('shows every chart as it was after every event, with the candle that was forming', async () => {
    for (const recording of recorded.recordings) {
      for (const chart of recording.charts) await compareChart(recording, chart)
    }
  })

  it('says what players held after every event, and what selling those tokens would have paid', async () => {
    for (const { tokenId, seq, bags } of recorded.recordings) {
      for (const { userId, amount, cashOutValue } of bags) {
        const { now, ...then } = await getBag({ app: recorded.app, ip: '' }, userId, { tokenId, seq })
        expect(then).toEqual({ tokenId, seq, amount, cashOutValue })
        const owned = last(recorded, tokenId).bags.find((bag) => bag.userId === userId)
        expect({ amount: now.amount, cashOutValue: now.cashOutValue, userId }).toEqual(owned)
        expect(now.sameBag === null).toBe(Number(now.amount) < Number(amount))
        if (now.amount === amount) expect(now.sameBag).toBe(now.cashOutValue)
      }
    }
  })

  it('finds the last event at or before a time', async () => {
    for (const tokenId of recorded.tokens) {
      const own = recorded.recordings.filter((each) => each.tokenId === tokenId)
      const times = own.flatMap(({ atMs }) => [atMs - 1, atMs, atMs + 1])
      for (const timeMs of times) {
        const expected = own.filter(({ atMs }) => atMs <= timeMs).at(-1) ?? own[0]
        const found = await findMomentAt({ app: recorded.app, ip: '' }, { tokenId, time: new Date(timeMs) })
        expect(found).toEqual({ tokenId, seq: expected?.seq, time: new Date(expected?.atMs ?? 0).toISOString() })
      }
    }
  })

  it('gives the steps from any moment to the last one, which need no other request', async () => {
    for (const tokenId of recorded.tokens) await playAll(recorded, tokenId)
  })

  describe('with checkpoints', () => {
    let written = 0
    beforeAll(async () => {
      for (const tokenId of await findDueTokens(recorded.market.db, SPACING)) {
        while (await writeNextCheckpoint(recorded.market.db, tokenId, SPACING)) written++
      }
    })

    it('has one checkpoint after each span of trades', async () => {
      const rows = await recorded.market.db.selectFrom('holder_checkpoints').select(['token_id', 'seq']).execute()
      const countTrades = (tokenId: number) => last(recorded, tokenId).token.totalTrades
      const expected = recorded.tokens.flatMap((tokenId) =>
        Array.from({ length: Math.floor(countTrades(tokenId) / SPACING) }, (_, i) => `${tokenId} ${(i + 1) * SPACING}`),
      )
      expect(rows.map(({ token_id, seq }) => `${token_id} ${seq}`).sort()).toEqual(expected.sort())
      expect(written).toBe(expected.length)
      expect(written).toBeGreaterThan(5)
    })

    it('shows the same pages', comparePages)
    // Only the forming candle is computed from a checkpoint, and it is the same in all charts, so one chart is enough.
    it('shows the same charts', async () => {
      for (const recording of recorded.recordings) {
        const { charts, seq } = recording
        await compareChart(recording, charts[seq % charts.length] as PastChart)
      }
    })
  })
})

function last({ recordings }: RecordedMarket, tokenId: number): Recording {
  const found = recordings.filter((each) => each.tokenId === tokenId).at(-1)
  if (found === undefined) throw new Error(`nothing is recorded of token ${tokenId}`)
  return found
}

function toEvent({ seq, token, trades }: Recording): TokenMoment['event'] {
  const creator = { userId: token.creator.id, username: token.creator.username, isBot: token.creator.isBot }
  const [trade] = trades
  if (trade?.seq === seq) return { type: 'trade', trade }
  return seq === 0
    ? { type: 'launch', ...creator }
    : { type: 'rug', ...creator, amount: trade === undefined ? '0' : expect.any(String) }
}

const PAGE = 9

/** Plays a token's events as a browser does, and compares every frame. */
async function playAll(recorded: RecordedMarket, tokenId: Recording['tokenId']): Promise<void> {
  const own = recorded.recordings.filter((each) => each.tokenId === tokenId)
  let played = 0
  for (let after: number | null = 0; after !== null; ) {
    const page = await getSteps({ app: recorded.app, ip: '' }, { tokenId, after, limit: PAGE })
    const held = new Map(page.holders.map(({ userId, ...holder }) => [userId, holder]))
    for (const event of page.events) {
      played++
      expect(event.seq).toBe(played)
      if (event.type === 'trade') {
        const { userId, username, isBot } = event.trade
        if (Number(event.holding) === 0) held.delete(userId)
        else held.set(userId, { username, isBot, amount: event.holding })
        expect(event.currentPrice).toBe(own[played]?.token.currentPrice)
        expect(event.pool).toEqual(own[played]?.token.pool)
        expect(event.trade).toEqual(own[played]?.trades[0])
      }
      const shown = [...held]
        .map(([userId, holder]) => ({ userId, ...holder }))
        .sort((one, other) => Number(other.amount) - Number(one.amount) || one.userId - other.userId)
        .slice(0, 20)
        .map((holder, index) => ({ ...holder, rank: index + 1 }))
      expect(shown).toEqual(own[played]?.holders)
    }
    expect(page.lastSeq).toBe(own.length - 1)
    after = page.nextAfter
  }
  expect(played).toBe(own.length - 1)
}
