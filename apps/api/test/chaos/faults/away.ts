import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { makeDataFolder, removeDataFolder } from '../../support/data-folder.ts'
import { startApi } from '../support/api-process.ts'
import { type Acknowledged, startLoad } from '../support/load.ts'
import { type OwnPostgres, startOwnPostgres } from '../support/own-postgres.ts'
import { type Answer, get } from '../support/rest-player.ts'
import type { Fault } from './fault.ts'
import { assertExactJournal } from './support/exact-journal.ts'
import { newMarket } from './support/market-of-players.ts'
import { type Guests, keptPaths, type ReadsSeen, sendGuests, untilFresh } from './support/readers.ts'

const PLAYERS = 4
const LANES = 2
const ORDERS = 40
/** By then every effect of the outage has shown: longer than any request may wait. */
const SEEN_WITHIN_MS = 60_000
const LOOK_EVERY_MS = 50

/** A killed PostgreSQL refuses connections, a frozen one does not answer. */
export type Absence = 'killed' | 'frozen'

export interface AwaySeen extends ReadsSeen {
  readonly acknowledged: number
  readonly unavailable: number
}

/** A server on an external PostgreSQL, which goes away and comes back. */
export class AwayMarket {
  readonly #url: string
  readonly #postgres: OwnPostgres
  readonly #acknowledged: Acknowledged[] = []
  readonly remove: () => Promise<void>

  private constructor(url: string, postgres: OwnPostgres, remove: () => Promise<void>) {
    this.#url = url
    this.#postgres = postgres
    this.remove = remove
  }

  static async start(): Promise<AwayMarket> {
    const postgres = await startOwnPostgres()
    const dataDir = makeDataFolder()
    const api = await startApi({ DATABASE_URL: postgres.url, DATA_DIR: dataDir })
    return new AwayMarket(api.url, postgres, async () => {
      await api.end('SIGTERM')
      await postgres.remove()
      removeDataFolder(dataDir)
    })
  }

  /** Takes PostgreSQL away under load for the given time. Throws when a promise is broken. */
  async round(absence: Absence, seconds: number): Promise<AwaySeen> {
    const { players, tokens } = await newMarket(this.#url, PLAYERS, 1)
    const load = startLoad({ players, tokens, lanes: LANES })
    await load.until(ORDERS)
    const paths = keptPaths(tokens[0] ?? 0)
    for (const path of paths) assert.equal((await get(`${this.#url}${path}`)).status, 200)
    const before = load.unavailable.length
    const guests = sendGuests(this.#url, paths)
    await this.#goAway(absence)
    try {
      await Promise.race([guests.asking, sleep(seconds * 1_000)])
      await untilSeen(
        guests,
        () => absence === 'frozen' || (guests.seen.refused > 0 && load.unavailable.length > before),
      )
    } finally {
      await this.#comeBack(absence)
    }
    await guests.leave()
    await load.until(load.acknowledged.length + ORDERS)
    await load.stop()
    this.#acknowledged.push(...load.acknowledged)
    const unavailable = load.unavailable.slice(before)
    for (const answer of unavailable) assertSaysWhen(answer)
    await assertExactJournal(() => this.#postgres.openDatabase(), this.#acknowledged)
    for (const path of paths) await untilFresh(`${this.#url}${path}`)
    return { ...guests.seen, acknowledged: load.acknowledged.length, unavailable: unavailable.length }
  }

  async #goAway(absence: Absence): Promise<void> {
    if (absence === 'killed') await this.#postgres.kill()
    else this.#postgres.freeze()
  }

  async #comeBack(absence: Absence): Promise<void> {
    if (absence === 'killed') await this.#postgres.start()
    else this.#postgres.thaw()
  }
}

/** Waits until guests were served from the cache, others got a 503, and the condition holds. */
async function untilSeen({ seen, asking }: Guests, isMore: () => boolean): Promise<void> {
  const giveUpAt = Date.now() + SEEN_WITHIN_MS
  while (seen.served === 0 || seen.notReady === 0 || !isMore()) {
    assert(Date.now() < giveUpAt, 'nothing was said of a database that is away')
    await Promise.race([asking, sleep(LOOK_EVERY_MS)])
  }
}

/** A 503 with one sentence and Retry-After. */
function assertSaysWhen({ headers, body }: Answer): void {
  assert.match(headers.get('retry-after') ?? '', /^[1-9]\d*$/)
  assert.match(String(body), /^[A-Z].*(try again.*|never placed twice)\.$/)
}

export const away: Fault = {
  name: 'away',
  about: 'PostgreSQL gone for a while: killed, and frozen without a word',
  run: async ({ seconds }) => {
    const market = await AwayMarket.start()
    try {
      const seen: string[] = []
      for (const absence of ['killed', 'frozen'] as const) {
        const of = await market.round(absence, seconds)
        seen.push(
          `${absence} for ${seconds} s: ${of.unavailable} orders 503, ${of.served} reads served (${of.old} said they are old), ${of.refused} refused, ${of.acknowledged} orders acknowledged before and after`,
        )
      }
      return `${seen.join('; ')}; nothing hung, each audit exact`
    } finally {
      await market.remove()
    }
  },
}
