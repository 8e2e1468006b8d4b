import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { needs } from '@papermoon/db/testing'
import { afterAll, beforeAll, describe, it } from 'vitest'
import { makeDataFolder, removeDataFolder } from '../support/data-folder.ts'
import { type ApiProcess, startApi } from './support/api-process.ts'
import { assertExactJournal } from './support/exact-journal.ts'
import { type Acknowledged, startLoad } from './support/load.ts'
import { newMarket } from './support/market-of-players.ts'
import { type OwnPostgres, startOwnPostgres } from './support/own-postgres.ts'
import { type Guests, keptPaths, sendGuests, untilFresh } from './support/readers.ts'
import { type Answer, get } from './support/rest-player.ts'
import { readSize, say } from './support/size.ts'

const PLAYERS = 4
const LANES = 2
const ORDERS = 40
/** By then every effect of the outage has shown: longer than any request may wait. */
const SEEN_WITHIN_MS = 60_000
const LOOK_EVERY_MS = 50

/** A killed PostgreSQL refuses connections, a frozen one does not answer. */
type Absence = 'killed' | 'frozen'

let postgres: OwnPostgres
let api: ApiProcess
let dataDir: string
const acknowledged: Acknowledged[] = []
beforeAll(async () => {
  postgres = await startOwnPostgres()
  dataDir = makeDataFolder()
  api = await startApi({ DATABASE_URL: postgres.url, DATA_DIR: dataDir })
})
afterAll(async () => {
  await api?.end('SIGTERM')
  await postgres?.remove()
  removeDataFolder(dataDir)
})

describe('PostgreSQL away under a running API', () => {
  it('killed: orders are 503 with Retry-After, what is kept is read, nothing hangs, and it passes by itself', () =>
    takeAway('killed'))

  // Needs /proc to find PostgreSQL's processes.
  const isLinux = needs('Linux', process.platform === 'linux')
  it('frozen: cached queries are served, nothing hangs, and it recovers by itself', isLinux, () => takeAway('frozen'))
})

/** Takes PostgreSQL away under load for a while. */
async function takeAway(absence: Absence): Promise<void> {
  const { players, tokens } = await newMarket(api.url, PLAYERS, 1)
  const load = startLoad({ players, tokens, lanes: LANES })
  await load.until(ORDERS)
  const paths = keptPaths(tokens[0] ?? 0)
  for (const path of paths) assert.equal((await get(`${api.url}${path}`)).status, 200)
  const before = load.unavailable.length
  const guests = sendGuests(api.url, paths)
  if (absence === 'killed') await postgres.kill()
  else postgres.freeze()
  try {
    await Promise.race([guests.asking, sleep(readSize('seconds', 3, 30) * 1_000)])
    await untilSeen(guests, () => absence === 'frozen' || (guests.seen.refused > 0 && load.unavailable.length > before))
  } finally {
    if (absence === 'killed') await postgres.start()
    else postgres.thaw()
  }
  await guests.leave()
  await load.until(load.acknowledged.length + ORDERS)
  await load.stop()
  acknowledged.push(...load.acknowledged)
  const unavailable = load.unavailable.slice(before)
  for (const answer of unavailable) assertSaysWhen(answer)
  await assertExactJournal(() => postgres.openDatabase(), acknowledged)
  for (const path of paths) await untilFresh(`${api.url}${path}`)
  const { served, old, refused } = guests.seen
  say(
    `${absence}: ${unavailable.length} orders 503, ${served} reads served (${old} said they are old), ${refused} refused`,
  )
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
