import { parseSol } from '@papermoon/amm'
import { pino } from 'pino'
import { beforeEach, describe, expect, it } from 'vitest'
import { BusyError, SlippageExceededError } from '../../src/errors.ts'
import type { TokenId, UserId } from '../../src/ids.ts'
import { assembleLedEngine, type LedEngine } from '../../src/lead/led-engine.ts'
import { FINAL_MS, SILENCE_MAX_MS, UNDER_WAY_MAX } from '../../src/lead/wire/protocol.ts'
import type { BuyOrder, TradeReceipt } from '../../src/orders.ts'
import { Chance } from '../../src/testing/simulation/chance.ts'
import { SimulatedDatabase, SimulatedLeaseStore } from '../../src/testing/simulation/simulated-database.ts'
import { SimulatedNetwork } from '../../src/testing/simulation/simulated-network.ts'
import { SimulatedProcess } from '../../src/testing/simulation/simulated-process.ts'
import { VirtualTime } from '../../src/testing/simulation/virtual-time.ts'
import type { TradingEngine } from '../../src/trading-engine.ts'

const log = pino({ level: 'silent' })

let time: VirtualTime
let chance: Chance
let network: SimulatedNetwork
let database: SimulatedDatabase

beforeEach(() => {
  time = new VirtualTime()
  chance = new Chance(1)
  network = new SimulatedNetwork(time, chance)
  database = new SimulatedDatabase(time, chance)
})

type Submit = (order: BuyOrder) => Promise<TradeReceipt>

/** A node of the real code whose own engine is a function. */
async function openNode(name: string, submit: Submit): Promise<LedEngine> {
  const process = new SimulatedProcess(time, chance)
  const own: TradingEngine = {
    submit: submit as unknown as TradingEngine['submit'],
    dryRun: async () => Promise.reject(new BusyError()),
    findPending: async () => null,
    close: async () => {},
  }
  const node = assembleLedEngine({
    node: name,
    own,
    runtime: process.runtime,
    network: network.join(name, process),
    leaseStore: new SimulatedLeaseStore(database.connect(process)),
    log,
    receive: () => {},
  })
  const started = node.start()
  await time.runUntil(time.nowMs + 600)
  await started
  return node
}

const buy = (player: number, requestKey?: string): BuyOrder => ({
  kind: 'buy',
  userId: player as UserId,
  tokenId: 1 as TokenId,
  sol: parseSol('1'),
  requestKey,
})
const silent: Submit = () => new Promise(() => {})
const figures = { solAmount: '1', fee: '0', tokenAmount: '1', price: '1', spotPrice: '1' }
const who = { userId: 1 as UserId, username: 'ann', isBot: false, createdAt: '2026-01-01T00:00:00.000Z' }
const receipt: TradeReceipt = {
  trade: { id: 1, tokenId: 1 as TokenId, seq: 1, side: 'buy', ...figures, ...who },
  position: { balance: '1', amount: '1', cost: '1' },
}

/** What became of an order, and when. */
interface Ending {
  answer?: TradeReceipt
  code?: string
  key?: string | undefined
  atMs?: number
}

function submit(node: LedEngine, order: BuyOrder): Ending {
  const ending: Ending = {}
  node.submit(order).then(
    (answer) => Object.assign(ending, { answer, atMs: time.nowMs }),
    ({ code, requestKey }) => Object.assign(ending, { code, key: requestKey, atMs: time.nowMs }),
  )
  return ending
}

describe('an order whose answer a silent link loses', () => {
  /** Follows a leader that never answers, over a link that is cut once the order is sent. */
  async function lose(order: BuyOrder, own: Submit): Promise<{ ending: Ending; sentMs: number; triedMs: number[] }> {
    await openNode('leader', silent)
    const triedMs: number[] = []
    const follower = await openNode('follower', async (repeated) => {
      triedMs.push(time.nowMs)
      return await own(repeated)
    })
    expect(follower.getFigures().isLinked).toBe(true)
    const sentMs = time.nowMs
    const ending = submit(follower, order)
    await time.runUntil(time.nowMs + 5)
    network.cut('leader', 'follower')
    await time.runUntil(time.nowMs + 6_000)
    return { ending, sentMs, triedMs }
  }

  it('is repeated by its key after a second of silence, and its success is the answer', async () => {
    const keys: (string | undefined)[] = []
    const { ending, sentMs, triedMs } = await lose(buy(1), async ({ requestKey }) => {
      keys.push(requestKey)
      return receipt
    })
    expect(ending.answer?.trade.id).toBe(1)
    expect(keys).toHaveLength(1)
    expect(keys[0]).toMatch(/^[0-9a-f-]{36}$/)
    expect((triedMs[0] as number) - sentMs).toBeLessThan(SILENCE_MAX_MS * 1.1)
  })

  it('that a rule refuses is tried again once the leader can no longer place it', async () => {
    let tries = 0
    const { ending, sentMs, triedMs } = await lose(buy(1, 'mine'), async () => {
      tries++
      if (tries === 1) throw new SlippageExceededError('1', '2')
      return receipt
    })
    expect(ending.answer?.trade.id).toBe(1)
    expect(triedMs).toHaveLength(2)
    expect((triedMs[1] as number) - sentMs).toBeGreaterThanOrEqual(FINAL_MS * 0.98)
  })

  it('is refused only when the second try is refused too', async () => {
    const { ending, sentMs, triedMs } = await lose(buy(1, 'mine'), async () => {
      throw new SlippageExceededError('1', '2')
    })
    expect(ending.code).toBe('SLIPPAGE_EXCEEDED')
    expect(triedMs).toHaveLength(2)
    expect((ending.atMs as number) - sentMs).toBeGreaterThanOrEqual(FINAL_MS * 0.98)
  })

  it('has an unknown outcome, with its key, where its own engine is busy', async () => {
    const { ending } = await lose(buy(1, 'mine'), async () => {
      throw new BusyError()
    })
    expect(ending).toMatchObject({ code: 'OUTCOME_UNKNOWN', key: 'mine' })
  })
})

describe('a leader that does not answer', () => {
  it('has a bounded number of orders of a node, and of each player', async () => {
    await openNode('leader', silent)
    const follower = await openNode('follower', silent)
    const endings = Array.from({ length: 9 }, () => submit(follower, buy(1)))
    await time.runUntil(time.nowMs + 1)
    expect(endings.map(({ code }) => code)).toEqual([...Array(8).fill(undefined), 'TOO_MANY_ORDERS'])
    for (let i = 0; i < UNDER_WAY_MAX - 8; i++) submit(follower, buy(10 + i))
    const beyond = submit(follower, buy(9))
    await time.runUntil(time.nowMs + 1)
    expect(beyond.code).toBe('BUSY')
  })
})

describe('a leader that stops', () => {
  it('answers what it has begun, and declines the rest, which the follower runs itself', async () => {
    const begun = Promise.withResolvers<TradeReceipt>()
    const leader = await openNode('leader', () => begun.promise)
    const ran: BuyOrder[] = []
    const follower = await openNode('follower', async (order) => {
      ran.push(order)
      return receipt
    })
    const first = submit(follower, buy(1, 'first'))
    await time.runUntil(time.nowMs + 50)
    const closing = leader.close()
    await time.runUntil(time.nowMs + 50)
    const second = submit(follower, buy(2, 'second'))
    await time.runUntil(time.nowMs + 100)
    expect(second.answer).toEqual(receipt)
    expect(ran.map(({ requestKey }) => requestKey)).toEqual(['second'])
    expect(first).toEqual({})
    begun.resolve({ ...receipt, isRepeat: true })
    await time.runUntil(time.nowMs + 200)
    await closing
    expect(first.answer).toMatchObject({ isRepeat: true })
    expect(ran).toHaveLength(1)
    expect(follower.getFigures()).toMatchObject({ isLeading: false, fallbacks: { lost: 0 } })
  })
})
