import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { connect } from '@papermoon/db'
import { createTestDatabase, needs } from '@papermoon/db/testing'
import { sql } from 'kysely'
import { it } from 'vitest'
import { fillMarket } from '../support/bulk-market.ts'
import { makeDataFolder, removeDataFolder } from '../support/data-folder.ts'
import { type ApiProcess, startApi } from './support/api-process.ts'
import { assertExactJournal } from './support/exact-journal.ts'
import { type Acknowledged, startLoad } from './support/load.ts'
import { newMarket } from './support/market-of-players.ts'
import { get } from './support/rest-player.ts'
import { RudeClients } from './support/rude-clients.ts'
import { readFigures, type ServerFigures } from './support/server-figures.ts'
import { isLarge, readSize, say } from './support/size.ts'

const CLIENTS = readSize('clients', 1_000, 10_000)
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

// Elsewhere the metric of open descriptors is missing.
const isLinux = needs('Linux', process.platform === 'linux')
it(
  'clients who send nothing, half a request, or never read cost bounded memory, while others trade on',
  isLinux,
  async () => {
    const database = await createTestDatabase({ poolMax: 2 })
    await fillMarket(database, { players: 10, tokens: TOKENS, trades: 0 })
    await sql`select setval('tokens_id_seq', ${TOKENS})`.execute(database.db)
    const dataDir = makeDataFolder()
    const api = await startApi({ DATABASE_URL: database.connectionString, DATA_DIR: dataDir })
    const rude = new RudeClients(api.port)
    try {
      const acknowledged = await suffer(api, rude)
      await assertExactJournal(() => connect(database.address, { poolMax: 2 }), acknowledged)
    } finally {
      rude.leave()
      await api.end('SIGTERM')
      removeDataFolder(dataDir)
      await database.drop()
    }
  },
)

async function suffer(api: ApiProcess, rude: RudeClients): Promise<readonly Acknowledged[]> {
  const { players, tokens } = await newMarket(api.url, PLAYERS, 1)
  const load = startLoad({ players, tokens, lanes: LANES })
  await load.until(ORDERS)
  assert.equal((await get(`${api.url}${LONG_LIST}`)).status, 200)
  const before = await readFigures(api.url)
  await arrive(rude, CLIENTS, tokens[0] ?? 0)
  // Checked at once: on a busy machine the server starts to cut off clients during the next steps.
  const { descriptors } = await readFigures(api.url)
  assert(descriptors >= before.descriptors + CLIENTS, 'the clients are there at once; if not, choose fewer')
  await load.until(load.acknowledged.length + ORDERS)
  assert.equal((await get(`${api.url}${LONG_LIST}`)).status, 200, 'others read')
  const during = await readFigures(api.url)
  const grownMb = Math.max(0, Math.round(during.megabytes - before.megabytes))
  const mostMb = MEGABYTES + (CLIENTS * KILOBYTES_A_CLIENT) / 1_024
  assert(grownMb <= mostMb, `${CLIENTS} clients made the process grow by ${grownMb} MB`)
  await load.stop()
  // In a large run the server cuts them off.
  if (!isLarge) rude.leave()
  await untilGone(api.url, before)
  say(`${CLIENTS} half-open: ${grownMb} MB more, ${load.acknowledged.length} orders of others acknowledged`)
  return load.acknowledged
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
