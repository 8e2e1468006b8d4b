import assert from 'node:assert/strict'
import { Decimal, type Sol, type Tokens } from '@papermoon/amm'
import { DomainError } from '../../errors.ts'
import type { TokenId, UserId } from '../../ids.ts'
import type { BuyOrder, SellOrder, TradeReceipt } from '../../orders.ts'
import { Chance } from './chance.ts'
import { injectFault } from './faults.ts'
import { SimulatedDatabase } from './simulated-database.ts'
import { SimulatedNetwork } from './simulated-network.ts'
import { type SimulatedMarket, SimulatedNode } from './simulated-node.ts'
import { VirtualTime } from './virtual-time.ts'

const FAULTY_MS = 6_000
const LOOK_MS = 500
/** After the last fault: long enough for every answer, every redial and a new leader. */
const QUIET_MS = 25_000
const PLAYERS = 6
const TOKENS = 2
const REPEATS_MAX = 6
/** Longest time without a lease while a node could take it: a look that got no answer for a second, until after the next one. */
const LEADERLESS_MAX_MS = 1_800

export interface SimulationPlan {
  readonly seed: number
  readonly nodes: number
  readonly orders: number
  /** Makes every engine begin orders however old they are, to see that the simulation notices. */
  readonly ignoresDeadlines?: boolean
}

export interface SimulationSeen {
  readonly acknowledged: number
  readonly refused: number
  readonly busy: number
  readonly unresolved: number
  readonly forwarded: number
  readonly declined: number
  readonly lost: number
  readonly leaders: number
  readonly leaderlessMs: number
}

/** A plan for a seed: mostly a few nodes, where faults meet more often, sometimes a hundred. */
export function planSimulation(seed: number): SimulationPlan {
  const chance = new Chance(seed)
  return chance.isOnce(100) ? { seed, nodes: 100, orders: 60 } : { seed, nodes: 2 + chance.below(5), orders: 24 }
}

/** Outcome of a player's order. */
type End = 'acknowledged' | 'refused' | 'busy' | 'unresolved'

interface Call {
  readonly number: number
  /** Whether the player also sent it to another node meanwhile: then a refusal of one says nothing about the other. */
  isTwice: boolean
  readonly tradeIds: Set<number>
  end: End | null
}

/** Runs a market whose nodes, connections and clocks fail. Throws if an order is lost, doubled, or shown and then gone. */
export async function runSimulation(plan: SimulationPlan): Promise<SimulationSeen> {
  return await new Simulation(plan).run()
}

class Simulation {
  readonly #plan: SimulationPlan
  readonly #market: SimulatedMarket
  readonly #nodes: SimulatedNode[] = []
  readonly #calls: Call[] = []
  #leaders = 0
  #lastLeader: string | null = null
  #ableSinceMs = Number.POSITIVE_INFINITY
  #leaderlessMs = 0

  constructor(plan: SimulationPlan) {
    const time = new VirtualTime()
    const chance = new Chance(plan.seed * 7_919 + 13)
    const network = new SimulatedNetwork(time, chance)
    this.#plan = plan
    this.#market = {
      time,
      chance,
      network,
      database: new SimulatedDatabase(time, chance),
      failures: [],
      ignoresDeadlines: plan.ignoresDeadlines === true,
    }
  }

  async run(): Promise<SimulationSeen> {
    const { time, chance } = this.#market
    const { nodes, orders } = this.#plan
    for (let i = 0; i < nodes; i++) this.#startNode()
    for (let i = 0; i < orders; i++) time.after(chance.between(200, FAULTY_MS), () => this.#watch(this.#play(i)))
    this.#injectOn()
    this.#watchOn()
    await time.runUntil(FAULTY_MS)
    // Until all is quiet, so that a thousand runs take seconds.
    while (time.nowMs < FAULTY_MS + QUIET_MS && !this.#isQuiet) await time.runUntil(time.nowMs + LOOK_MS)
    for (const failure of this.#market.failures) throw failure
    this.#checkBooks()
    this.#checkLead()
    return this.#count()
  }

  get #isQuiet(): boolean {
    const isFaulty = this.#nodes.some((node) => node.process.isFrozen || node.isCutFromDatabase)
    return !isFaulty && this.#isLed && this.#calls.every(({ end }) => end !== null)
  }

  /** Whether one node leads and the others forward to it. */
  get #isLed(): boolean {
    const up = this.#nodes.filter((node) => node.isUp)
    const figures = up.map(({ led }) => led.getFigures())
    const leaders = figures.filter(({ isLeading }) => isLeading).length
    return leaders === 1 && figures.filter(({ isLinked }) => isLinked).length === up.length - 1
  }

  #startNode(): void {
    const node = new SimulatedNode(this.#market, `node ${this.#nodes.length}`)
    this.#nodes.push(node)
    this.#watch(node.led.start())
  }

  #injectOn(): void {
    const { time, chance } = this.#market
    time.after(chance.between(50, 900), () => {
      if (time.nowMs >= FAULTY_MS) return
      injectFault(this.#market, this.#nodes, () => this.#startNode())
      this.#injectOn()
    })
  }

  /** Looks how long nobody leads although a node could. */
  #watchOn(): void {
    const { time, database } = this.#market
    const isAble = !database.isAway && this.#nodes.some((node) => node.isUp && !node.isCutFromDatabase)
    const { leader } = database
    if (leader !== null && leader !== this.#lastLeader) this.#leaders++
    this.#lastLeader = leader ?? this.#lastLeader
    if (leader !== null || !isAble) this.#ableSinceMs = time.nowMs
    this.#leaderlessMs = Math.max(this.#leaderlessMs, time.nowMs - this.#ableSinceMs)
    time.after(20, () => this.#watchOn())
  }

  /** Keeps the failure of something that runs by itself. */
  #watch(promise: Promise<unknown>): void {
    promise.catch((error: unknown) => this.#market.failures.push(error))
  }

  /** One order of a player, repeated by its key until its outcome is known. */
  async #play(number: number): Promise<void> {
    const { chance } = this.#market
    const call: Call = { number, isTwice: false, tradeIds: new Set(), end: null }
    this.#calls.push(call)
    let order = this.#chooseOrder(number)
    if (order.requestKey !== undefined && chance.isOnce(5)) {
      call.isTwice = true
      this.#watch(this.#submit(call, order))
    }
    for (let i = 0; i < REPEATS_MAX; i++) {
      const answer = await this.#submit(call, order)
      if (answer !== null && !(answer instanceof Error)) {
        call.end = 'acknowledged'
        return
      }
      const code = answer?.code ?? 'OUTCOME_UNKNOWN'
      const isBusy = code === 'BUSY' || code === 'TOO_MANY_ORDERS'
      // After an unknown outcome, BUSY says nothing about the first attempt.
      if (code !== 'OUTCOME_UNKNOWN' && (i === 0 || !isBusy)) {
        call.end = isBusy ? 'busy' : 'refused'
        return
      }
      const requestKey = answer?.requestKey ?? order.requestKey
      // A key that the dead node made and nobody was given.
      if (requestKey === undefined) break
      order = { ...order, requestKey }
      await this.#pause(1_000)
    }
    call.end = 'unresolved'
  }

  #chooseOrder(number: number): BuyOrder | SellOrder {
    const { chance } = this.#market
    const userId = (1 + chance.below(PLAYERS)) as UserId
    const tokenId = (1 + chance.below(TOKENS)) as TokenId
    const requestKey = chance.isOnce(2) ? `key ${number}` : undefined
    const limit = chance.isOnce(2) ? new Decimal(10 + chance.below(5) - 2) : undefined
    const one = new Decimal(1)
    const base = { userId, tokenId, requestKey, spendingKeyId: number + 1 }
    return chance.isOnce(3)
      ? { ...base, kind: 'sell', tokens: one as Tokens, minSolOut: limit as Sol | undefined }
      : { ...base, kind: 'buy', sol: one as Sol, minTokensOut: limit as Tokens | undefined }
  }

  /** Resolves to null if the node died before it answered. */
  async #submit(call: Call, order: BuyOrder | SellOrder): Promise<TradeReceipt | DomainError | null> {
    const node = await this.#findNode()
    const died = Promise.withResolvers<null>()
    const lookOn = (): void => {
      if (node.process.isKilled) died.resolve(null)
      else this.#market.time.after(50, lookOn)
    }
    lookOn()
    try {
      const receipt = await Promise.race([node.led.submit<BuyOrder | SellOrder>(order), died.promise])
      if (receipt === null) return null
      call.tradeIds.add(receipt.trade.id)
      // The readers of this node see the order that it has just answered. A repeat comes from the books.
      if (receipt.isRepeat === undefined && !('isRepeat' in receipt)) {
        assert(node.shown.has(receipt.trade.id), `${node.name} answers an order that it does not show`)
      }
      return receipt
    } catch (error) {
      if (error instanceof DomainError) return error
      throw error
    }
  }

  async #findNode(): Promise<SimulatedNode> {
    const { chance } = this.#market
    for (;;) {
      const up = this.#nodes.filter((node) => node.isUp)
      const node = up[chance.below(up.length)]
      if (node !== undefined) return node
      await this.#pause(100)
    }
  }

  async #pause(ms: number): Promise<void> {
    await new Promise<void>((resolve) => void this.#market.time.after(ms, resolve))
  }

  #checkBooks(): void {
    const { trades } = this.#market.database
    for (const { number, end, tradeIds, isTwice } of this.#calls) {
      const booked = trades.filter(({ call }) => call === number + 1)
      assert(end !== null, `order ${number} was never answered`)
      assert(booked.length <= 1, `order ${number} is in the books twice`)
      for (const id of tradeIds) assert.equal(booked[0]?.id, id, `the books lost order ${number}`)
      if (isTwice || end === 'acknowledged' || end === 'unresolved') continue
      assert.equal(booked.length, 0, `order ${number} was answered as ${end} and is in the books`)
    }
  }

  #checkLead(): void {
    assert(this.#isLed, 'not one node leads and the others follow it, though nothing fails any more')
    assert(this.#leaderlessMs <= LEADERLESS_MAX_MS, `nobody led for ${Math.round(this.#leaderlessMs)} ms`)
  }

  #count(): SimulationSeen {
    const countEnd = (end: End): number => this.#calls.filter((call) => call.end === end).length
    const figures = this.#nodes.map(({ led }) => led.getFigures())
    const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0)
    return {
      acknowledged: countEnd('acknowledged'),
      refused: countEnd('refused'),
      busy: countEnd('busy'),
      unresolved: countEnd('unresolved'),
      forwarded: sum(figures.map(({ forwarded }) => forwarded)),
      declined: sum(figures.map(({ fallbacks }) => fallbacks.declined)),
      lost: sum(figures.map(({ fallbacks }) => fallbacks.lost)),
      leaders: this.#leaders,
      leaderlessMs: this.#leaderlessMs,
    }
  }
}
