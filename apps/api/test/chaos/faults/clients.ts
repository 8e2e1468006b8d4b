import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { connect } from '@papermoon/db'
import { createTestDatabase, type TestDatabase } from '@papermoon/db/testing'
import { sql } from 'kysely'
import { fillMarket } from '../../support/bulk-market.ts'
import { makeDataFolder, removeDataFolder } from '../../support/data-folder.ts'
import { type ApiProcess, startApi } from '../support/api-process.ts'
import { startLoad } from '../support/load.ts'
import { get } from '../support/rest-player.ts'
import { readFigures, type ServerFigures } from '../support/server-figures.ts'
import type { Fault } from './fault.ts'
import { assertExactJournal } from './support/exact-journal.ts'
import { newMarket } from './support/market-of-players.ts'
import { RudeClients } from './support/rude-clients.ts'

const TOKENS = 1_000
/** About 650 kB. */
const LONG_LIST = '/api/tokens?limit=1000'
/** One client that never reads for so many silent ones; each requests so many lists. */
const SILENT_FOR_ONE = 20
const LISTS = 20

const PLAYERS = 4
const LANES = 2
const ORDERS = 100

/** Memory they may cost: the noise of a busy process, and buffers and objects per connection. */
const MEGABYTES = 200
const KILOBYTES_A_CLIENT = 40

/** The server cuts off silence after a minute, and checks every half minute. */
const CUT_WITHIN_MS = 240_000
const FEW_DESCRIPTORS = 25

export interface ClientsSeen {
  readonly clients: number
  /** Growth of the process, in MB. */
  readonly grownMb: number
  readonly acknowledged: number
  /** Whether the server cut all of them off; else they left by themselves. */
  readonly wereCut: boolean
}

interface ClientsPlan {
  readonly clients: number
  /** Whether to wait until the server cuts them off. */
  readonly isPatient: boolean
}

/** Thousands of rude clients while others trade. Throws at the first broken promise. */
export async function sufferClients(plan: ClientsPlan): Promise<ClientsSeen> {
  const database = await createTestDatabase({ poolMax: 2 })
  await fillMarket(database, { players: 10, tokens: TOKENS, trades: 0 })
  await sql`select setval('tokens_id_seq', ${TOKENS})`.execute(database.db)
  const dataDir = makeDataFolder()
  const api = await startApi({ DATABASE_URL: database.connectionString, DATA_DIR: dataDir })
  const rude = new RudeClients(api.port)
  try {
    return await suffer(plan, { api, rude, database })
  } finally {
    rude.leave()
    await api.end('SIGTERM')
    removeDataFolder(dataDir)
    await database.drop()
  }
}

interface Scene {
  readonly api: ApiProcess
  readonly rude: RudeClients
  readonly database: TestDatabase
}

async function suffer({ clients, isPatient }: ClientsPlan, { api, rude, database }: Scene): Promise<ClientsSeen> {
  const { players, tokens } = await newMarket(api.url, PLAYERS, 1)
  const load = startLoad({ players, tokens, lanes: LANES })
  await load.until(ORDERS)
  assert.equal((await get(`${api.url}${LONG_LIST}`)).status, 200)
  const before = await readFigures(api.url)
  await arrive(rude, clients, tokens[0] ?? 0)
  // Checked at once: on a busy machine the server starts to cut off clients during the next steps.
  const { descriptors } = await readFigures(api.url)
  assert(descriptors >= before.descriptors + clients, 'the clients are there at once; if not, choose fewer')
  await load.until(load.acknowledged.length + ORDERS)
  assert.equal((await get(`${api.url}${LONG_LIST}`)).status, 200, 'others read')
  const during = await readFigures(api.url)
  const grownMb = Math.max(0, Math.round(during.megabytes - before.megabytes))
  const mostMb = MEGABYTES + (clients * KILOBYTES_A_CLIENT) / 1_024
  assert(grownMb <= mostMb, `${clients} clients made the process grow by ${grownMb} MB`)
  await load.stop()
  if (!isPatient) rude.leave()
  await untilGone(api.url, before)
  await assertExactJournal(() => connect(database.address, { poolMax: 2 }), load.acknowledged)
  return { clients, grownMb, acknowledged: load.acknowledged.length, wereCut: isPatient }
}

async function arrive(rude: RudeClients, clients: number, id: number): Promise<void> {
  const few = Math.ceil(clients / SILENT_FOR_ONE)
  const params = { path: 'live.token', input: { json: { id, lastEventId: null } } }
  await rude.halfOpen(clients)
  await rude.neverReading(few, LONG_LIST, LISTS)
  await rude.deafSockets(few, '/ws')
  await rude.deafSockets(few, '/trpc', JSON.stringify({ id: 1, method: 'subscription', params }))
}

/** Waits until the process has as many descriptors as before. Throws after too long. */
async function untilGone(url: string, before: ServerFigures): Promise<void> {
  const giveUpAt = Date.now() + CUT_WITHIN_MS
  for (;;) {
    const { descriptors, webSockets } = await readFigures(url)
    if (descriptors <= before.descriptors + FEW_DESCRIPTORS && webSockets === 0) return
    assert(Date.now() < giveUpAt, `${descriptors - before.descriptors} connections of clients are still held`)
    await sleep(100)
  }
}

export const clients: Fault = {
  name: 'clients',
  about: 'connections that say nothing, or half a request, or never read an answer, a list, their events',
  run: async ({ clients: count, isQuick }) => {
    const seen = await sufferClients({ clients: count, isPatient: !isQuick })
    const end = seen.wereCut ? 'all cut off by the server' : 'all gone after they left'
    return `${count} half-open and ${3 * Math.ceil(count / SILENT_FOR_ONE)} deaf: ${seen.grownMb} MB more, ${seen.acknowledged} orders of others acknowledged, ${end}, audit exact`
  },
}
