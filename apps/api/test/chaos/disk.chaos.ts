import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { skipLacking } from '@papermoon/db/testing'
import { sql } from 'kysely'
import { it } from 'vitest'
import { assertExactJournal } from './support/exact-journal.ts'
import { type KillableServer, startKillableServer } from './support/killable-server.ts'
import { type Load, startLoad } from './support/load.ts'
import { newMarket } from './support/market-of-players.ts'
import { keptPaths, untilFresh } from './support/readers.ts'
import { get } from './support/rest-player.ts'
import { readSize, say } from './support/size.ts'
import { mountSmallDisk, type SmallDisk } from './support/small-disk.ts'

/** Size of the disk, in MB. A new database takes 40 MB. */
const DISK_MB = 160
const PLAYERS = 4
const LANES = 2
const ORDERS = 40
const SEEN_WITHIN_MS = 60_000
const LOOK_EVERY_MS = 50

it('on a full disk, orders get 503 with Retry-After and cached reads work; once there is room, trading continues', async (context) => {
  const disk = mountSmallDisk(DISK_MB)
  if (disk === null) return skipLacking(context, 'the right to mount a disk (root on Linux)')
  const server = await startKillableServer(disk.folder)
  try {
    await fillUnderLoad(server, disk)
  } finally {
    await server.remove()
    disk.remove()
  }
})

/** Fills the disk until tables cannot grow, then until PostgreSQL stops, and then frees the disk. */
async function fillUnderLoad(server: KillableServer, disk: SmallDisk): Promise<void> {
  const { players, tokens } = await newMarket(server.url, PLAYERS, 1)
  const load = startLoad({ players, tokens, lanes: LANES })
  await load.until(ORDERS)
  const paths = keptPaths(tokens[0] ?? 0)
  await assertRead(server, paths)
  disk.fill()
  await untilRefused(load)
  assert.match(String(load.unavailable.at(-1)?.body), /disk is full/)
  await untilNotReady(server, 'The disk of the database is full.')
  await assertRead(server, paths)
  await endJournal(server)
  await untilNotReady(server, 'The disk of the database is full.')
  await sleep(readSize('seconds', 2, 30) * 1_000)
  await assertRead(server, paths)
  await untilRefused(load)
  disk.free()
  await load.until(load.acknowledged.length + ORDERS)
  await load.stop()
  assert.equal((await get(`${server.url}/readyz`)).status, 200)
  assert.equal(server.exitCode(), null, 'the server lives through it')
  const trades = await assertExactJournal(() => server.openDatabase(), load.acknowledged)
  for (const path of paths) await untilFresh(`${server.url}${path}`)
  say(`${load.unavailable.length} orders 503, ${load.acknowledged.length} acknowledged, ${trades} trades stand`)
}

async function assertRead({ url }: KillableServer, paths: readonly string[]): Promise<void> {
  for (const path of paths) assert.equal((await get(`${url}${path}`)).status, 200, path)
}

/** Waits until an order gets 503 with Retry-After. */
async function untilRefused({ unavailable }: Load): Promise<void> {
  const before = unavailable.length
  await until(() => unavailable.length > before, 'orders are refused on a full disk')
  assert.match(unavailable.at(-1)?.headers.get('retry-after') ?? '', /^[1-9]\d*$/)
}

/** Makes PostgreSQL stop: it must start another WAL file, for which the disk has no room. */
async function endJournal(server: KillableServer): Promise<void> {
  const next = sql`select pg_logical_emit_message(true, 'proof', 'something to write'), pg_switch_wal()`
  await assert.rejects(async () => {
    const database = server.openDatabase()
    try {
      for (let files = 0; files < 100; files++) await next.execute(database.db)
    } finally {
      await database.close()
    }
  })
}

async function untilNotReady({ url }: KillableServer, why: string): Promise<void> {
  await until(async () => (await get(`${url}/readyz`)).body === why, `/readyz says: ${why}`)
  assert.equal((await get(`${url}/healthz`)).status, 200)
}

async function until(isSo: () => boolean | Promise<boolean>, promise: string): Promise<void> {
  const giveUpAt = Date.now() + SEEN_WITHIN_MS
  while (!(await isSo())) {
    assert(Date.now() < giveUpAt, promise)
    await sleep(LOOK_EVERY_MS)
  }
}
