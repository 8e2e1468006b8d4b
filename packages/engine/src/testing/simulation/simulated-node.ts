import { pino } from 'pino'
import type { MarketEvent } from '../../events/market-events.ts'
import { assembleLedEngine, type LedEngine } from '../../lead/led-engine.ts'
import type { Chance } from './chance.ts'
import { type SimulatedConnection, type SimulatedDatabase, SimulatedLeaseStore } from './simulated-database.ts'
import { SimulatedEngine } from './simulated-engine.ts'
import type { SimulatedNetwork } from './simulated-network.ts'
import { SimulatedProcess } from './simulated-process.ts'
import type { VirtualTime } from './virtual-time.ts'

const log = pino({ level: 'silent' })

export interface SimulatedMarket {
  readonly time: VirtualTime
  readonly chance: Chance
  readonly network: SimulatedNetwork
  readonly database: SimulatedDatabase
  /** Broken promises that would otherwise be taken for a node's fault. */
  readonly failures: unknown[]
  readonly ignoresDeadlines: boolean
}

/** A node: the real code of lease, link, forwarding and fallback, on a simulated process. */
export class SimulatedNode {
  readonly name: string
  readonly process: SimulatedProcess
  readonly led: LedEngine
  readonly engine: SimulatedEngine
  /** Ids of the trades that this node's readers were shown. */
  readonly shown = new Set<number>()
  readonly #connections: readonly SimulatedConnection[]
  readonly #database: SimulatedDatabase
  readonly #failures: unknown[]
  isCutFromDatabase = false
  isStopping = false

  constructor(market: SimulatedMarket, name: string) {
    const { time, chance, network, database, failures, ignoresDeadlines } = market
    this.name = name
    this.#failures = failures
    this.process = new SimulatedProcess(time, chance)
    this.#database = database
    const [orders, lease] = [database.connect(this.process), database.connect(this.process)]
    this.#connections = [orders, lease]
    const show = (events: readonly MarketEvent[]): void => this.#show(events)
    this.engine = new SimulatedEngine({
      process: this.process,
      connection: orders,
      chance,
      ignoresDeadlines,
      publish: (events) => {
        show(events)
        this.led.publish(events)
      },
    })
    this.led = assembleLedEngine({
      node: name,
      own: this.engine,
      runtime: this.process.runtime,
      network: network.join(name, this.process),
      leaseStore: new SimulatedLeaseStore(lease),
      log,
      receive: show,
    })
  }

  /** Whether a player's call reaches it and is worked on. */
  get isUp(): boolean {
    return !this.process.isKilled && !this.process.isFrozen && !this.isStopping
  }

  kill(): void {
    this.process.kill()
    this.engine.abandon()
  }

  async stop(): Promise<void> {
    this.isStopping = true
    await this.led.close()
    this.process.kill()
  }

  cutFromDatabase(): void {
    this.isCutFromDatabase = true
    for (const connection of this.#connections) connection.cut()
  }

  healDatabase(): void {
    this.isCutFromDatabase = false
    for (const connection of this.#connections) connection.heal()
  }

  /** Nothing is shown that the books do not have. */
  #show(events: readonly MarketEvent[]): void {
    for (const event of events) {
      const id = event.type === 'trade' ? event.trade.id : 0
      if (this.#database.trades[id - 1]?.seq === event.seq) this.shown.add(id)
      else this.#failures.push(new Error(`${this.name} shows trade ${id}, which the books do not have`))
    }
  }
}
