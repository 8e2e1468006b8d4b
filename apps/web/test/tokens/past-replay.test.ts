import type { MarketEvent } from '@papermoon/contract/market-events'
import { chart, holder, ID, rugEvent, token, tradeEvent, userId } from '@papermoon/live/testing'
import { describe, expect, it } from 'vitest'
import {
  applyEvent,
  Replay,
  type ReplaySource,
  rankHolders,
  startFrame,
} from '../../src/features/tokens/past/replay.ts'
import type { PastMoment, PastSteps } from '../../src/lib/api/api.ts'

const START = '2026-01-01T00:00:00.000Z'

/** Creates a trade. Trades are one second apart, and number N is by player N. */
const trade = (seq: number, holding = '10') =>
  tradeEvent({ seq, trader: seq, holding, createdAt: new Date(Date.parse(START) + seq * 1_000).toISOString() })
const trades = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => trade(from + index))

function momentAt(seq: number): PastMoment {
  const creator = { userId: userId(1), username: 'barnum' }
  return {
    tokenId: ID,
    seq,
    time: START,
    lastSeq: 99,
    previousSeq: null,
    nextSeq: seq + 1,
    event: { type: 'launch', ...creator },
    token: token({ seq }),
    holdersCount: 0,
    holders: [],
    trades: [],
  } as unknown as PastMoment
}

function page(after: number, events: MarketEvent[], more: Partial<PastSteps> = {}): PastSteps {
  const lastSeq = after + events.length
  return { tokenId: ID, after, lastSeq, nextAfter: null, holdersCount: 0, holders: [], events, ...more } as PastSteps
}

/** Creates a source with the given pages. `asked` lists the numbers of the requested pages. */
function createSource(pages: readonly PastSteps[]): ReplaySource & { asked: number[] } {
  const asked: number[] = []
  return {
    asked,
    moment: async (seq) => momentAt(seq),
    // Charts after the start have wider candles.
    chart: async (seq) => chart({ seq, width: seq === 0 ? 60 : 300 }),
    steps: async (after) => {
      asked.push(after)
      const found = pages.find((candidate) => candidate.after === after)
      if (found === undefined) throw new Error(`no page after ${after}`)
      return found
    },
  }
}

async function openReplay(pages: readonly PastSteps[], isSlowAtRug = false) {
  const source = createSource(pages)
  const replay = new Replay(source, { isSlowAtRug })
  await replay.open(0)
  return { replay, source }
}

describe('a frame', () => {
  const steps = page(0, [], { holdersCount: 2, holders: [holder(4, '30'), holder(9, '20.5')] })
  const first = startFrame(momentAt(0), chart(), steps)

  it('has the pool, trades, candle and holders right after each event', () => {
    const frame = applyEvent(first, trade(1, '25'))
    expect(frame).toMatchObject({ seq: 1, time: '2026-01-01T00:00:01.000Z', holdersCount: 3 })
    expect(frame.token).toMatchObject({ currentPrice: '0.00000004', totalTrades: 1, seq: 1 })
    expect(frame.trades.map(({ seq }) => seq)).toEqual([1])
    expect(frame.chart.candles).toHaveLength(1)
    expect(rankHolders(frame.bags).map(({ userId: id, rank }) => [id, rank])).toEqual([
      [4, 1],
      [1, 2],
      [9, 3],
    ])
    expect(first.trades).toEqual([])
  })

  it('drops a holder who sells everything, and counts a holder who buys more once', () => {
    const more = applyEvent(first, tradeEvent({ seq: 1, trader: 9, holding: '99' }))
    expect([more.holdersCount, rankHolders(more.bags)[0]?.userId]).toEqual([2, 9])
    const gone = applyEvent(more, tradeEvent({ seq: 2, trader: 9, holding: '0' }))
    expect([gone.holdersCount, rankHolders(gone.bags).map(({ userId: id }) => id)]).toEqual([1, [4]])
  })

  it('shows a rugged token after the rug pull', () => {
    const frame = applyEvent(first, rugEvent(1))
    expect(frame.token).toMatchObject({ currentPrice: '0', ruggedAt: '2026-01-01T01:00:00.000Z' })
  })
})

describe('a replay', () => {
  it('shows each event when it is due, at the speed of the moment', async () => {
    const { replay } = await openReplay([page(0, trades(1, 4))])
    const seen = [
      [0, 1],
      [999, 1],
      [1_000, 1],
      [1_050, 10],
      [1_100, 10],
      [1_110, 100],
    ].map(([nowMs = 0, speed]) => {
      replay.tick(nowMs, speed as 1 | 10 | 100)
      return replay.frame?.seq
    })
    expect(seen).toEqual([0, 0, 1, 1, 2, 3])
    expect(replay.isOver).toBe(false)
    replay.tick(9_000, 1)
    expect([replay.frame?.seq, replay.isOver]).toEqual([4, true])
  })

  it('applies at most ten events per tick, and does not catch up afterwards', async () => {
    const { replay } = await openReplay([page(0, trades(1, 40))])
    replay.tick(0, 1)
    replay.tick(3_600_000, 100)
    expect(replay.frame?.seq).toBe(10)
    replay.tick(3_600_001, 100)
    expect(replay.frame?.seq).toBe(10)
  })

  it('fetches each page once and in advance, and continues on the next page', async () => {
    const pages = [page(0, trades(1, 300), { nextAfter: 300 }), page(300, trades(301, 302))]
    const { replay, source } = await openReplay(pages)
    let nowMs = 0
    const play = async (seq: number) => {
      for (; (replay.frame?.seq ?? 0) < seq && nowMs < 60_000; nowMs += 50) {
        replay.tick(nowMs, 100)
        await Promise.resolve()
      }
    }
    await play(40)
    expect(source.asked).toEqual([0])
    expect(replay.frame?.chart.width).toBe(60)
    await play(302)
    expect(source.asked).toEqual([0, 300])
    expect(replay.frame?.chart).toMatchObject({ seq: 302, width: 300 })
    expect([replay.frame?.seq, replay.isOver]).toEqual([302, true])
  })

  it('says why it stops if a page does not come', async () => {
    const { replay } = await openReplay([page(0, trades(1, 2), { nextAfter: 2 })])
    for (let nowMs = 0; nowMs < 5_000; nowMs += 50) {
      replay.tick(nowMs, 1)
      await Promise.resolve()
    }
    expect(replay.frame?.seq).toBe(2)
    expect(replay.failure).toEqual(new Error('no page after 2'))
    expect(replay.isOver).toBe(false)
  })

  it('slows down for the last ten events of a rugged token, if motion is on', async () => {
    const events = [...trades(1, 20), rugEvent(21)]
    const length = async (isSlowAtRug: boolean) => {
      const { replay } = await openReplay([page(0, events)], isSlowAtRug)
      let nowMs = 0
      for (; !replay.isOver && nowMs < 60_000; nowMs += 10) replay.tick(nowMs, 100)
      return nowMs
    }
    expect(await length(true)).toBeGreaterThan(10 * 800)
    expect(await length(false)).toBeLessThan(400)
  })
})
