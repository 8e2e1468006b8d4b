import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { compileCache } from '@papermoon/db/testing'
import type { TokenId, UserId } from '@papermoon/engine'
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, it, onTestFinished, vi } from 'vitest'
import { LOCK_IDS } from '../../src/database/take-lock.ts'
import type { KeeperParts, KeeperReport } from '../../src/features/backup/keep-backups.ts'
import { isBackupId, listBackups } from '../../src/features/backup/manifest.ts'
import { type Keeper, openVault, readClock, restoreAndRead, startKeeper, TAKEN } from './support/keeper.ts'
import { createOwnMarket, type OwnMarket } from './support/own-market.ts'
import { temporaryFolder } from './support/temporary-folder.ts'

const WAIT = { timeout: 200_000 }
const FAILED = 'a backup could not be taken'
const WAITING = 'another node takes the backups'
const KEEPER = join(import.meta.dirname, 'support/keeper-process.ts')
const COMMAND = join(import.meta.dirname, '../../src/commands/keep-backups.ts')

let market: OwnMarket
let player: UserId
let token: TokenId
beforeEach(async () => {
  market = await createOwnMarket()
  player = await market.addPlayer('1000')
  token = await market.launch(player, '1')
})
afterEach(() => market.close())

type Node = Pick<Keeper, 'reports'>

async function untilReported(node: Node, message: string): Promise<void> {
  await vi.waitFor(() => expect(node.reports.map((report) => report.message)).toContain(message), WAIT)
}

interface NodeProcess extends Node {
  readonly child: ChildProcess
  kill(): Promise<void>
}

function forkNode(script: string, args: readonly string[], env: Readonly<Record<string, string>> = {}): NodeProcess {
  const reports: KeeperReport[] = []
  const child = fork(script, args, { env: { PATH: process.env.PATH, ...compileCache, ...env } })
  child.on('message', (report) => void reports.push(report as KeeperReport))
  const kill = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return
    const ended = once(child, 'exit')
    child.kill('SIGKILL')
    await ended
  }
  onTestFinished(kill)
  return { child, reports, kill }
}

/** Starts a node in this process. */
function startNode(to: string, parts: Partial<KeeperParts> = {}): Keeper {
  const node = startKeeper(market, openVault(to), { standbyMs: 50, ...parts })
  onTestFinished(node.close)
  return node
}

/** Returns the PostgreSQL backends that hold the keeper's lock. */
async function listKeepers(): Promise<number[]> {
  const { rows } = await sql<{ pid: number }>`
    select pid from pg_locks where locktype = 'advisory' and granted and objid = ${LOCK_IDS.backupKeeping}`.execute(
    market.db,
  )
  return rows.map(({ pid }) => pid)
}

/** Ends every connection of other processes and pools, as a broken network would. */
async function cutConnections(): Promise<void> {
  await sql`select pg_terminate_backend(pid) from pg_stat_activity
    where pid <> pg_backend_pid() and backend_type in ('client backend', 'walsender')`.execute(market.db)
}

/** Lists the folders of backups, complete or not. */
const listFolders = (to: string): string[] => readdirSync(to).filter(isBackupId)

async function readTrades(db: OwnMarket['db']): Promise<number[]> {
  return (await db.selectFrom('trades').select('id').orderBy('id').execute()).map(({ id }) => id)
}

async function untilReached(node: Node, at: Date): Promise<void> {
  const hasReached = ({ gauges }: KeeperReport) => (gauges?.reached_timestamp_seconds ?? 0) * 1_000 > at.getTime()
  await vi.waitFor(() => expect(node.reports.some(hasReached)).toBe(true), WAIT)
}

it('takes the backup that a killed node left incomplete, and removes the incomplete one', async () => {
  const to = temporaryFolder()
  const one = forkNode(KEEPER, [JSON.stringify(market.address), to, market.dataDir, '--stuck'])
  await untilReported(one, 'verifying')
  const two = startNode(to)
  await untilReported(two, WAITING)
  expect(await listKeepers()).toHaveLength(1)
  const [half] = listFolders(to)
  await one.kill()
  await market.buy(player, token, '0.5')
  await untilReported(two, TAKEN)
  expect(await listKeepers()).toHaveLength(1)
  const ids = (await listBackups(openVault(to))).backups.map(({ id }) => id)
  expect(two.reports).toContainEqual(
    expect.objectContaining({ message: TAKEN, fields: expect.objectContaining({ id: ids[0] }) }),
  )
  expect(listFolders(to)).toEqual(ids)
  expect(ids).not.toContain(half)
  expect(two.reports.map(({ message }) => message)).not.toContain(FAILED)
})

it('continues the archive of a killed node without a gap', async () => {
  const to = temporaryFolder()
  const one = forkNode(KEEPER, [JSON.stringify(market.address), to, market.dataDir])
  await untilReported(one, TAKEN)
  await market.buy(player, token, '0.5')
  await untilReached(one, await readClock(market))
  const two = startNode(to)
  await untilReported(two, WAITING)
  await one.kill()
  // The replication slot keeps the log of these commits until the other node takes over.
  await market.buy(player, token, '0.25')
  const trades = await readTrades(market.db)
  await untilReported(two, 'keeping')
  const at = await readClock(market)
  await untilReached(two, at)
  await market.buy(player, token, '0.125')
  expect(two.reports.map(({ message }) => message)).not.toContain(TAKEN)
  expect(await restoreAndRead(openVault(to), at, ({ db }) => readTrades(db))).toEqual(trades)
})

it('completes no backup once another node may keep them', async () => {
  const to = temporaryFolder()
  const verified = Promise.withResolvers<void>()
  const isVerifying = Promise.withResolvers<void>()
  const one = startNode(to, {
    verify: async () => {
      isVerifying.resolve()
      await verified.promise
      return { trades: 0, tokens: 0, players: 0, differences: 0 }
    },
  })
  await isVerifying.promise
  await cutConnections()
  expect(await one.ended).toBeInstanceOf(Error)
  const two = startNode(to)
  await untilReported(two, TAKEN)
  verified.resolve()
  await untilReported(one, FAILED)
  const ids = (await listBackups(openVault(to))).backups.map(({ id }) => id)
  expect(two.reports).toContainEqual(
    expect.objectContaining({ message: TAKEN, fields: expect.objectContaining({ id: ids[0] }) }),
  )
  expect(listFolders(to)).toEqual(ids)
})

it('ends the process of a node that lost the lock, so that its server restarts it', async () => {
  const env = { DATABASE_URL: market.connectionString, DATA_DIR: temporaryFolder(), BACKUP_TO: temporaryFolder() }
  const node = forkNode(COMMAND, [], env)
  await untilReported(node, TAKEN)
  const ended = once(node.child, 'exit')
  await cutConnections()
  expect((await ended)[0]).toBe(2)
})
