import assert from 'node:assert/strict'
import { type KillableServer, startKillableServer } from '../support/killable-server.ts'
import { type Acknowledged, startLoad } from '../support/load.ts'
import type { Fault } from './fault.ts'
import { assertExactJournal } from './support/exact-journal.ts'
import { newMarket } from './support/market-of-players.ts'

const PLAYERS = 6
const TOKENS = 3
/** Concurrent orders per player. */
const LANES = 4
/** Acknowledged orders: at least and at most before a kill, and at least after it. */
const BEFORE_KILL = { least: 50, most: 250 }
const AFTER_KILL = 100

export const victims = ['the API and PostgreSQL', 'PostgreSQL', 'the API'] as const
export type Victim = (typeof victims)[number]

/** The result of a round. */
export interface KillSeen {
  readonly acknowledged: number
  /** Orders repeated with their key after a lost answer or a 503. */
  readonly interrupted: number
  /** Trades of the whole journal, which the audit replayed. */
  readonly trades: number
}

/** A server that is killed repeatedly, and every order it acknowledged. */
export class KilledMarket {
  readonly server: KillableServer
  readonly #acknowledged: Acknowledged[] = []

  constructor(server: KillableServer) {
    this.server = server
  }

  /** `kill -9` at a random moment under load. Throws unless the journal has exactly the acknowledged trades. */
  async round(victim: Victim): Promise<KillSeen> {
    const load = startLoad({ ...(await newMarket(this.server.url, PLAYERS, TOKENS)), lanes: LANES })
    const { least, most } = BEFORE_KILL
    await load.until(least + Math.floor(Math.random() * (most - least)))
    await this.#kill(victim)
    await load.until(load.acknowledged.length + AFTER_KILL)
    await load.stop()
    this.#acknowledged.push(...load.acknowledged)
    const interrupted = load.acknowledged.filter((order) => order.wasInterrupted)
    assert(interrupted.length > 0, 'no order was under way when it was killed: this proves nothing')
    const trades = await assertExactJournal(() => this.server.openDatabase(), this.#acknowledged)
    await assertSameAnswerAgain(interrupted)
    return { acknowledged: load.acknowledged.length, interrupted: interrupted.length, trades }
  }

  async #kill(victim: Victim): Promise<void> {
    if (victim !== 'PostgreSQL') await this.server.killApi()
    if (victim !== 'the API') this.server.killPostgres()
    if (victim !== 'PostgreSQL') await this.server.start()
  }
}

/** Repeats an order at the end; expects its first answer. The next round finds a second trade, if any. */
async function assertSameAnswerAgain(orders: readonly Acknowledged[]): Promise<void> {
  for (const { player, order, key, trade } of orders) {
    const { status, body } = await player.order(order, key)
    assert.deepEqual({ status, trade: Object(body).trade }, { status: 200, trade })
  }
}

export const kills: Fault = {
  name: 'kills',
  about: 'kill -9 of the API, of PostgreSQL, of both, at random moments under load',
  run: async ({ rounds, say }) => {
    const server = await startKillableServer()
    try {
      const market = new KilledMarket(server)
      let acknowledged = 0
      let interrupted = 0
      let trades = 0
      for (let round = 0; round < rounds; round++) {
        const victim = victims[round % victims.length] ?? victims[0]
        const seen = await market.round(victim)
        acknowledged += seen.acknowledged
        interrupted += seen.interrupted
        trades = seen.trades
        say(`round ${round + 1}: ${victim}, ${seen.acknowledged} orders, ${seen.interrupted} of them repeated`)
      }
      return `${rounds} kills, ${acknowledged} orders acknowledged, ${interrupted} interrupted and resolved by their key, ${trades} trades stand, each audit exact`
    } finally {
      await server.remove()
    }
  },
}
