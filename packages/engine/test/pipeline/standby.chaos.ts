import { parseSol } from '@papermoon/amm'
import type { UserId } from '@papermoon/contract/ids'
import { connect, type DatabaseClient, migrateToLatest } from '@papermoon/db'
import { startTemporaryServer } from '@papermoon/db/testing'
import { sql } from 'kysely'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { systemClock } from '../../src/clock.ts'
import { createTradingEngine, type TradingEngine } from '../../src/trading-engine.ts'
import { addPlayer, aToken } from '../support/test-market.ts'

/**
 * Timeouts longer than a second, so that a machine that freezes for a second does not look like a commit that waits.
 */
const SHORT_TIMEOUTS = { connectTimeoutMs: 20_000, statementTimeoutMs: 3_000, answerGraceMs: 1_000 }

let server: Awaited<ReturnType<typeof startTemporaryServer>>
let admin: DatabaseClient
let client: DatabaseClient
let engine: TradingEngine
let player: UserId
beforeAll(async () => {
  server = await startTemporaryServer()
  const { user, password, database, host, port } = server.address
  admin = connect(server.address, { poolMax: 3 })
  await migrateToLatest(admin.db)
  player = await addPlayer(admin, 'player', '100')
  // The test server does not wait for the disk or standbys, so these connections turn that on, as in production.
  const query = new URLSearchParams({ host, port: String(port), options: '-c synchronous_commit=on' })
  const connectionString = `postgres://${user}:${encodeURIComponent(password)}@localhost/${database}?${query}`
  client = connect({ connectionString }, { ...SHORT_TIMEOUTS, poolMax: 4 })
  const log = pino({ level: 'silent' })
  engine = createTradingEngine({ pool: client.pool, clock: systemClock, log, publish: () => {} })
})
afterAll(async () => {
  await engine.close()
  await client.close()
  await admin.close()
  await server.stop()
})

/** Makes commits wait for a standby with this name, which does not exist. With an empty name, commits wait for none. */
async function requireStandby(name: string): Promise<void> {
  await sql`alter system set synchronous_standby_names = ${sql.lit(name)}`.execute(admin.db)
  await sql`select pg_reload_conf()`.execute(admin.db)
  const isRequired = name !== ''
  // Backends apply the setting only after the checkpointer has read it.
  await expect.poll(() => commitWaits(), { timeout: 60_000 }).toBe(isRequired)
}

async function commitWaits(): Promise<boolean> {
  const committed = sql`select pg_logical_emit_message(true, 'probe', '')`.execute(client.db).then(
    () => false,
    () => true,
  )
  return await committed
}

/** After a crash, a primary can show commits whose clients got no response because its standby lacks them. */
describe('a repeated order whose commit may be on one machine only', () => {
  it.each(['buy', 'launch'] as const)('(%s) gets a response only once a standby has the commit', async (kind) => {
    const requestKey = `placed-${kind}`
    const { tokenId } = await engine.submit({ kind: 'launch', userId: player, token: aToken })
    const order =
      kind === 'launch'
        ? ({ kind, userId: player, token: aToken, requestKey } as const)
        : ({ kind, userId: player, tokenId, sol: parseSol('1'), requestKey } as const)
    const first = await engine.submit(order)
    await requireStandby('nobody')
    await expect(engine.submit(order)).rejects.toMatchObject({ code: 'OUTCOME_UNKNOWN', requestKey })
    await requireStandby('')
    const { isRepeat, ...repeated } = await engine.submit(order)
    expect(isRepeat).toBe(true)
    expect(repeated).toMatchObject('trade' in first ? { trade: first.trade } : { tokenId: first.tokenId })
  })
})
