import { connect, type DatabaseClient, migrateToLatest } from '@papermoon/db'
import { type ReplicatedServer, startReplicatedServer, type TestDatabase } from '@papermoon/db/testing'
import { type Kysely, sql } from 'kysely'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { connectReplica } from '../../src/database/connect-replica.ts'
import { measureReplica } from '../../src/database/replica-position.ts'
import type { RoutedReads } from '../../src/database/routed-reads.ts'
import { exportAccount } from '../../src/features/account/export/export-account.ts'
import { runAudit } from '../../src/features/audit/run-audit.ts'
import { toUrl } from '../chaos/support/own-postgres.ts'
import { signalTree } from '../chaos/support/process-tree.ts'
import { runCommand } from '../support/command-process.ts'
import { createTestServer, type TestServer, type Visitor } from '../support/test-server.ts'

/** Enough for a few calls on a slow machine, before a replica that is paused is too far behind. */
const MAX_LAG_SECONDS = 10
/** On a loaded machine a lock or a connection takes longer than a server may wait. */
const PATIENCE = { lockTimeoutMs: 10_000, connectTimeoutMs: 20_000 }
const HISTORY = '/api/portfolio/history?timeframe=ALL'

let servers: ReplicatedServer
let replica: DatabaseClient
let server: TestServer
let reads: RoutedReads
let player: Visitor
let tokenId: number
let urls: Record<'DATABASE_URL' | 'READ_DATABASE_URL', string>
beforeAll(async () => {
  servers = await startReplicatedServer({ fsync: 'off', full_page_writes: 'off' })
  urls = { DATABASE_URL: toUrl(servers.primary), READ_DATABASE_URL: toUrl(servers.replica) }
  replica = connect(servers.replica, { poolMax: 2, ...PATIENCE })
  server = await createTestServer({
    database: await openPrimary(),
    replica: connectReplica(urls.READ_DATABASE_URL),
    env: { ...urls, READ_MAX_LAG_SECONDS: String(MAX_LAG_SECONDS) },
  })
  reads = server.app.reads as RoutedReads
  player = await server.player()
  tokenId = await player.launch({ initialBuyAmount: '1' })
}, 240_000)
afterEach(async () => {
  signalTree(servers.replicaPid(), 'SIGCONT')
  await resumeReplay()
  await untilState('usable')
})
afterAll(async () => {
  await server?.close()
  await replica?.close()
  await servers?.remove()
})

async function openPrimary(): Promise<TestDatabase> {
  const client = connect(servers.primary, { poolMax: 8, ...PATIENCE })
  await migrateToLatest(client.db)
  return { ...client, address: servers.primary, connectionString: urls.DATABASE_URL, drop: () => client.close() }
}

async function untilState(kind: string): Promise<void> {
  await expect.poll(() => reads.getFigures().state.kind).toBe(kind)
}

/** The replica goes on receiving, and replays nothing more. */
async function pauseReplay(): Promise<void> {
  await sql`select pg_wal_replay_pause()`.execute(replica.db)
  await expect
    .poll(
      async () =>
        (await sql<{ state: string }>`select pg_get_wal_replay_pause_state() as state`.execute(replica.db)).rows,
    )
    .toEqual([{ state: 'paused' }])
}

async function resumeReplay(): Promise<void> {
  await expect
    .poll(
      async () =>
        await sql`select pg_wal_replay_resume()`.execute(replica.db).then(
          () => true,
          () => false,
        ),
    )
    .toBe(true)
}

function countReads(name: string): { primary: number; replica: number } {
  return { primary: 0, replica: 0, ...reads.getFigures().reads.get(name as never) }
}

/** Counts by which server the reads during `work` were answered. */
async function countTargets(name: string, work: () => Promise<unknown>): Promise<{ primary: number; replica: number }> {
  const before = countReads(name)
  await work()
  const after = countReads(name)
  return { primary: after.primary - before.primary, replica: after.replica - before.replica }
}

/** Buys, and returns the balance that the answer shows. */
async function buy(solAmount = '0.1'): Promise<string> {
  const answer = await player.post('/api/tokens/buy', { tokenId, solAmount })
  expect(answer.statusCode).toBe(200)
  return answer.json().position.balance
}

async function readBalance(): Promise<string> {
  return (await player.get(HISTORY)).json().points.at(-1).balance
}

/** A chart's number of trades, read from a database. */
async function readTrades(id = tokenId): Promise<number> {
  server.app.queryCache.invalidateAll()
  return (await player.get(`/api/charts/${id}?timeframe=1H`)).json().totalTrades
}

/** All data of the player, as a download would have it. */
async function exportOwnData(): Promise<{ statusCode: number }> {
  const { id } = (await player.get('/api/auth/user')).json()
  let text = ''
  for await (const piece of exportAccount(server.app, id)) text += piece
  return { statusCode: JSON.parse(text).trades.length > 0 ? 200 : 500 }
}

function logged(text: string): number {
  return server.logs.filter(({ msg }) => msg?.includes(text)).length
}

async function countAudits(db: Kysely<never> = server.db as never): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from audits`.execute(db)
  return rows[0]?.count ?? 0
}

describe('a replica that keeps up', () => {
  it.each([
    ['portfolio history', () => player.get(HISTORY)],
    ['chart', () => player.get(`/api/charts/${tokenId}?timeframe=ALL`)],
    ['past', () => player.query('past.chart', { tokenId, seq: 1, timeframe: '1H' })],
    ['leaderboard', () => player.get('/api/leaderboard')],
    ['boards', () => player.get('/api/leaderboard/all-time')],
    ['export', exportOwnData],
    ['bots league', () => player.get('/api/leaderboard/bots')],
  ] as const)('answers the read %s, as the primary would', async (name, read) => {
    await untilState('usable')
    await expect
      .poll(async () => {
        server.app.queryCache.invalidateAll()
        return (await countTargets(name, async () => expect((await read()).statusCode).toBe(200))).replica
      })
      .toBeGreaterThan(0)
  })

  it('shows each player their order in the next read, whoever answers it', async () => {
    let answered = 0
    for (let turn = 0; turn < 20; turn++) {
      const balance = await buy()
      const { replica: found } = await countTargets('portfolio history', async () =>
        expect(await readBalance()).toBe(balance),
      )
      answered += found
      expect(await readTrades()).toBe(server.app.feed.getSeq(tokenId))
    }
    process.stdout.write(`${answered} of 20 histories right after an order came from the replica\n`)
  })

  it('answers an audit, which the primary records', async () => {
    const client = connectReplica(urls.READ_DATABASE_URL)
    const before = await countAudits()
    const said: string[] = []
    const options = { replica: { client, maxLagSeconds: 20 }, onSource: (sentence: string) => void said.push(sentence) }
    expect(await runAudit(server.database, options)).toMatchObject({ differences: 0, tokens: 1 })
    expect(said).toEqual(['The journal was read from the replica of READ_DATABASE_URL.'])
    expect(await countAudits()).toBe(before + 1)
    await client.close()
  })

  it('is described by npm run admin -- replica', async () => {
    const end = await runCommand('admin', ['replica'], { ...urls, READ_MAX_LAG_SECONDS: '20' })
    expect(end).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^The replica of READ_DATABASE_URL is .* behind: /),
    })
  })
})

describe('a replica whose replay is paused', () => {
  it('shows nobody less than they saw: the primary answers', async () => {
    await pauseReplay()
    const balance = await buy()
    const { primary } = await countTargets('portfolio history', async () => expect(await readBalance()).toBe(balance))
    expect(primary).toBe(1)
    expect(
      await countTargets('chart', async () => expect(await readTrades()).toBe(server.app.feed.getSeq(tokenId))),
    ).toEqual({
      primary: 1,
      replica: 0,
    })
  })

  it('still answers the chart of a token that has not moved, until it is too far behind', async () => {
    const quiet = await player.launch()
    await untilContained()
    await pauseReplay()
    await buy()
    await expect
      .poll(async () => {
        await reads.probe()
        return await countTargets('chart', async () => expect(await readTrades(quiet)).toBe(0))
      })
      .toEqual({ primary: 0, replica: 1 })
    await untilState('behind')
    expect((await countTargets('chart', async () => expect(await readTrades(quiet)).toBe(0))).primary).toBe(1)
    expect(
      logged(`behind, and READ_MAX_LAG_SECONDS allows ${MAX_LAG_SECONDS} s: its reads go to the primary until`),
    ).toBeGreaterThan(0)
    const metrics = (await player.get('/metrics')).body
    expect(metrics).toContain('papermoon_replica_is_usable 0')
    expect(metrics).toMatch(/^papermoon_replica_fallbacks_total\{reason="behind"\} [1-9]/m)
    expect(metrics).toMatch(/^papermoon_routed_reads_total\{read="chart",target="replica"\} [1-9]/m)
  })

  it('shows no token that was hidden meanwhile', async () => {
    const hidden = await player.launch()
    await untilContained()
    await pauseReplay()
    await sql`update tokens set hidden_at = now() where id = ${hidden}`.execute(server.db)
    await expect.poll(() => server.app.feed.isHidden(hidden)).toBe(true)
    server.app.queryCache.invalidateAll()
    expect((await player.get(`/api/charts/${hidden}?timeframe=1H`)).statusCode).toBe(404)
  })

  it('is not audited: the primary is', async () => {
    await pauseReplay()
    await buy()
    const client = connectReplica(urls.READ_DATABASE_URL)
    const said: string[] = []
    const options = { replica: { client, maxLagSeconds: 1 }, onSource: (sentence: string) => void said.push(sentence) }
    expect(await runAudit(server.database, options)).toMatchObject({ differences: 0 })
    expect(said).toEqual([
      'The replica of READ_DATABASE_URL could not be audited (the replica is more than 1 s behind): the primary is.',
    ])
    await client.close()
  })

  /** Waits until the replica has all that the primary has now. */
  async function untilContained(): Promise<void> {
    await expect.poll(async () => (await countTargets('portfolio history', readBalance)).replica).toBe(1)
  }
})

describe('a replica that is gone', () => {
  it('is no longer asked while it is frozen, and again afterwards', async () => {
    const before = logged('cannot be reached')
    signalTree(servers.replicaPid(), 'SIGSTOP')
    const balance = await buy()
    expect(await readBalance()).toBe(balance)
    await untilState('away')
    expect(logged('cannot be reached: its reads go to the primary until it is back.')).toBe(before + 1)
    signalTree(servers.replicaPid(), 'SIGCONT')
    await untilState('usable')
    await expect.poll(async () => (await countTargets('portfolio history', readBalance)).replica).toBe(1)
  })

  it('is replaced by the primary when it is stopped, and used again when it is back', async () => {
    await servers.stopReplica()
    const balance = await buy()
    expect(await readBalance()).toBe(balance)
    await untilState('away')
    await servers.startReplica()
    await untilState('usable')
    await expect.poll(async () => (await countTargets('portfolio history', readBalance)).replica).toBe(1)
  })
})

describe('a server that is no replica', () => {
  it('is not read', async () => {
    const primary = connectReplica(urls.DATABASE_URL)
    expect(await measureReplica(server.db, primary, MAX_LAG_SECONDS)).toEqual({ kind: 'foreign' })
    await primary.close()
  })
})
