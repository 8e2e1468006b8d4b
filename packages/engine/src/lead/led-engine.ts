import { randomUUID } from 'node:crypto'
import type pg from 'pg'
import type { Logger } from 'pino'
import { BusyError, DomainError, OutcomeUnknownError } from '../errors.ts'
import type { MarketEvent } from '../events/market-events.ts'
import { toPriorKey } from '../idempotency/prior-answers.ts'
import { newRequestKey } from '../idempotency/request-key.ts'
import type { UserId } from '../ids.ts'
import type { OrderTrace } from '../order-trace.ts'
import type { DryRun, Order, ReceiptByKind } from '../orders.ts'
import type { Receipt } from '../pending-order.ts'
import type { Delivery, TradingEngine } from '../trading-engine.ts'
import type { ChannelUser, LeadNetwork } from './connections/channel.ts'
import { type ForwardOutcome, LeadLink } from './connections/lead-link.ts'
import { LeadServer } from './connections/lead-server.ts'
import { createNodeNetwork, type NetworkParts } from './connections/node-network.ts'
import type { Leader } from './lease/leader.ts'
import { Lease, type LeaseStore } from './lease/lease.ts'
import { DatabaseLeaseStore } from './lease/lease-store.ts'
import { processRuntime, type Runtime, sleep } from './runtime.ts'
import type { KeyedOrder } from './wire/order-codec.ts'
import { FINAL_MS } from './wire/protocol.ts'

/** How a node takes part in the lead. */
export type LeadOptions = Pick<NetworkParts, 'listen' | 'address' | 'socketFolder'>

/** Watches forwarded orders. */
export interface ForwardObserver {
  /** Follows an order that another node traces; null if this node does not. */
  resumeTrace?(traceparent: string): OrderTrace | null
  /** Called with the seconds from forwarding an order to its answer. Must not throw. */
  onForwarded?(seconds: number): void
}

interface LedEngineParts extends LeadOptions, ForwardObserver {
  /** This node's own engine. */
  readonly own: TradingEngine
  readonly pool: pg.Pool
  /** A key that only the nodes of this database know. */
  readonly secret: Buffer
  readonly log: Logger
  /** Takes the events that the leader sends, before the answers that go with them. */
  receive(events: readonly MarketEvent[]): void
}

/** Dependencies of a node's decisions, without anything of the process, so that a simulation can run them. */
export interface LedEngineCore extends ForwardObserver {
  /** Identifies this process. */
  readonly node: string
  readonly own: TradingEngine
  readonly runtime: Runtime
  readonly network: LeadNetwork
  readonly leaseStore: LeaseStore
  readonly log: Logger
  receive(events: readonly MarketEvent[]): void
}

/** Outcomes of this node's orders, for metrics. */
export interface LeadFigures {
  readonly isLeading: boolean
  /** Term of the leader that this node knows; 0 if it knows none. */
  readonly term: number
  /** Whether orders are forwarded. */
  readonly isLinked: boolean
  /** Nodes that forward to this one. */
  readonly followers: number
  readonly forwarded: number
  /** Forwarded orders that wait for their answer. */
  readonly underWay: number
  /** Forwarded orders that ran on this node after all, by reason. */
  readonly fallbacks: { readonly declined: number; readonly lost: number }
}

/** An engine of several on one database: forwards its orders to the leading one where that is possible. */
export interface LedEngine extends TradingEngine {
  /** Begins to take part in the lead. Rejects if the address to listen at cannot be used. */
  start(): Promise<void>
  /** Sends the events of a batch to the nodes that forward here; to be called before its orders are answered. */
  publish(events: readonly MarketEvent[]): void
  getFigures(): LeadFigures
}

/** Until it is started, its orders run on the own engine. */
export function createLedEngine(parts: LedEngineParts): LedEngine {
  const { own, log, pool, receive, resumeTrace, onForwarded } = parts
  const node = randomUUID()
  return assembleLedEngine({
    node,
    own,
    log,
    receive,
    ...(resumeTrace && { resumeTrace }),
    ...(onForwarded && { onForwarded }),
    runtime: processRuntime,
    network: createNodeNetwork({ ...parts, node }),
    leaseStore: new DatabaseLeaseStore({ pool, log }),
  })
}

export function assembleLedEngine(core: LedEngineCore): LedEngine {
  return new LeadingOrFollowing(core)
}

const REDIAL_MIN_MS = 100
const REDIAL_MAX_MS = 2_000
/** Max time for the leader to answer what is under way when this node stops. */
const DRAIN_MAX_MS = 3_000

class LeadingOrFollowing implements LedEngine {
  readonly #parts: LedEngineCore
  readonly #server: LeadServer | null
  #lease: Lease | null = null
  #leader: Leader | null = null
  #link: LeadLink | null = null
  /** The leader that the link belongs to. */
  #linkedNode: string | null = null
  #cancelRedial: () => void = () => {}
  #redialMs = REDIAL_MIN_MS
  #forwarded = 0
  #declined = 0
  #lost = 0
  #underWay = 0
  /** Forwarded orders without an answer, by player and key. */
  readonly #pending = new Map<string, Order>()
  #isClosed = false

  constructor(parts: LedEngineCore) {
    this.#parts = parts
    const { own, runtime, network, log, resumeTrace } = parts
    const server = { engine: own, runtime, log, ...(resumeTrace && { resumeTrace }) }
    this.#server = network.listen === null ? null : new LeadServer(server)
  }

  async start(): Promise<void> {
    const { node, leaseStore: store, runtime, network, log } = this.#parts
    const addresses = network.listen === null ? null : ((await this.#server?.listen(network.listen)) ?? null)
    this.#lease = new Lease({ store, runtime, log, node, addresses, onChange: (leader) => this.#follow(leader) })
    await this.#lease.start()
  }

  readonly publish = (events: readonly MarketEvent[]): void => this.#server?.publish(events)

  async submit<O extends Order>(order: O, delivery?: Delivery): Promise<ReceiptByKind[O['kind']]> {
    return (await this.#submit(order, delivery)) as ReceiptByKind[O['kind']]
  }

  /** On this node: a check reads the database and gains nothing from the leader. */
  async dryRun<O extends Order>(order: O): Promise<DryRun<O['kind']>> {
    return await this.#parts.own.dryRun(order)
  }

  /** Asks the leader where orders are forwarded to it: it has those of all nodes. */
  async findPending(userId: UserId, requestKey: string): Promise<Order['kind'] | null> {
    const forwarded = this.#pending.get(toPriorKey(userId, requestKey))
    if (forwarded !== undefined) return forwarded.kind
    const own = await this.#parts.own.findPending(userId, requestKey)
    const link = this.#link
    if (own !== null || link === null || !link.isReady) return own
    return await link.findPending(userId, requestKey)
  }

  getFigures(): LeadFigures {
    return {
      isLeading: this.#lease?.isOwn ?? false,
      term: this.#lease?.leader?.term ?? 0,
      isLinked: this.#link?.isReady ?? false,
      followers: this.#server?.followers ?? 0,
      forwarded: this.#forwarded,
      underWay: this.#underWay,
      fallbacks: { declined: this.#declined, lost: this.#lost },
    }
  }

  /** Gives the lead up first, so that another node takes it while this one answers what is under way. */
  async close(): Promise<void> {
    this.#isClosed = true
    this.#cancelRedial()
    await this.#lease?.stop()
    const { runtime } = this.#parts
    const untilMs = runtime.nowMs() + DRAIN_MAX_MS
    while (this.#underWay > 0 && runtime.nowMs() < untilMs) await sleep(runtime, 10)
    this.#link?.end()
    while (this.#underWay > 0 && runtime.nowMs() < untilMs) await sleep(runtime, 10)
    // The followers' orders are answered by the own engine.
    await Promise.all([this.#server?.close(), this.#parts.own.close()])
  }

  async #submit(order: Order, delivery?: Delivery): Promise<Receipt> {
    if (this.#isClosed) throw new BusyError()
    const link = this.#link
    if (link === null || !link.isReady || delivery !== undefined) return await this.#parts.own.submit(order, delivery)
    const keyed = { ...order, requestKey: order.requestKey ?? newRequestKey() }
    const key = toPriorKey(keyed.userId, keyed.requestKey)
    const isFresh = order.requestKey === undefined
    this.#forwarded++
    this.#underWay++
    this.#pending.set(key, keyed)
    try {
      return await this.#conclude(keyed, isFresh, await this.#forward(link, keyed, isFresh))
    } finally {
      this.#underWay--
      if (this.#pending.get(key) === keyed) this.#pending.delete(key)
    }
  }

  async #forward(link: LeadLink, order: KeyedOrder, isFresh: boolean): Promise<ForwardOutcome> {
    const { runtime } = this.#parts
    const startMs = runtime.nowMs()
    const outcome = await link.forward(order, isFresh)
    const endMs = runtime.nowMs()
    this.#parts.onForwarded?.((endMs - startMs) / 1_000)
    order.trace?.record({ name: 'forward', startMs, endMs, attributes: { 'papermoon.forward.outcome': outcome.kind } })
    return outcome
  }

  async #conclude(order: KeyedOrder, isFresh: boolean, outcome: ForwardOutcome): Promise<Receipt> {
    if (outcome.kind === 'done') return outcome.receipt
    if (outcome.kind === 'refused') throw outcome.error
    if (outcome.kind === 'declined') {
      this.#declined++
      return await this.#parts.own.submit(order, { isFresh, notAfterMs: Number.POSITIVE_INFINITY })
    }
    this.#lost++
    const receipt = await this.#repeat(order, outcome.sentMs)
    // To the caller of a fresh order this is the first answer.
    return isFresh ? { ...receipt, isRepeat: undefined } : receipt
  }

  /**
   * Repeats an order whose answer was lost, by its key. Success is final. A refusal is final once the leader can no longer place the
   * order, so an earlier one is tried again then. Anything else leaves the outcome unknown.
   */
  async #repeat(order: KeyedOrder, sentMs: number): Promise<Receipt> {
    const { runtime } = this.#parts
    const finalMs = sentMs + FINAL_MS
    for (;;) {
      const begunMs = runtime.nowMs()
      try {
        return await this.#parts.own.submit(order)
      } catch (error) {
        if (!isRefusal(error) || this.#isClosed) throw new OutcomeUnknownError(order.requestKey)
        if (begunMs >= finalMs) throw error
      }
      await sleep(runtime, finalMs - runtime.nowMs())
    }
  }

  #follow(leader: Leader | null): void {
    const { log } = this.#parts
    const wasOwn = this.#leader?.node === this.#parts.node
    const isOwn = leader?.node === this.#parts.node
    if (isOwn && !wasOwn) log.info({ term: leader?.term }, 'this node leads: the others forward their orders to it')
    if (wasOwn && !isOwn) log.info({ term: this.#leader?.term }, 'this node no longer leads')
    if (leader !== null && !isOwn) log.info({ term: leader.term, leader: leader.address }, 'another node leads')
    this.#leader = leader
    this.#server?.setLeading(isOwn)
    // The lease cannot be read, but the leader may still answer.
    if (leader === null || leader.node === this.#linkedNode) return
    this.#redialMs = REDIAL_MIN_MS
    this.#hangUp()
    this.#dial()
  }

  /** Ends the link to an earlier leader; what is under way on it is repeated by its keys. */
  #hangUp(): void {
    this.#cancelRedial()
    const link = this.#link
    this.#link = null
    this.#linkedNode = null
    link?.end()
  }

  #dial(): void {
    const { runtime, log, network, receive, node } = this.#parts
    const leader = this.#leader
    if (leader === null || leader.node === node || this.#isClosed) return
    const link: LeadLink = new LeadLink({
      runtime,
      log,
      receive,
      dial: (user: ChannelUser) => network.dial(leader, user),
      onEnd: (wasReady) => this.#onEnd(link, wasReady),
    })
    this.#link = link
    this.#linkedNode = leader.node
  }

  #onEnd(link: LeadLink, wasReady: boolean): void {
    if (this.#link !== link) return
    this.#link = null
    this.#linkedNode = null
    if (this.#isClosed) return
    const { log } = this.#parts
    const leader = this.#leader?.address
    if (wasReady) log.warn({ leader }, 'the link to the leader ended: orders run on this node until it is back')
    if (wasReady) this.#redialMs = REDIAL_MIN_MS
    const { runtime } = this.#parts
    this.#cancelRedial = runtime.after(this.#redialMs * (0.5 + runtime.random() / 2), () => this.#dial())
    this.#redialMs = Math.min(2 * this.#redialMs, REDIAL_MAX_MS)
  }
}

/** Whether an error says for certain that a rule forbids the order, under the locks or conditions of its rows. */
function isRefusal(error: unknown): boolean {
  return error instanceof DomainError && !UNCERTAIN.has(error.code)
}

const UNCERTAIN = new Set(['BUSY', 'TOO_MANY_ORDERS', 'OUTCOME_UNKNOWN'])
