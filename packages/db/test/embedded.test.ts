// @module-tag nightly
import { execFileSync } from 'node:child_process'
import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { isServerRunning } from '../src/embedded/postmaster-pid.ts'
import { startEmbedded } from '../src/embedded/start-embedded.ts'
import { DataDirInUseError } from '../src/errors.ts'
import { needs } from '../src/testing.ts'
import { query, start } from './fixtures/embedded-server.ts'
import { spawnFixture } from './fixtures/spawn-fixture.ts'
import { temporaryFolder } from './fixtures/temporary-folder.ts'

const isRoot = process.getuid?.() === 0

const readModes = (dataDir: string, ...paths: readonly string[]) =>
  paths.map((path) => statSync(join(dataDir, 'postgres', path)).mode & 0o777)

describe('startEmbedded', () => {
  it('runs a durable server without a TCP port, with a password and with files that only this user can read', async () => {
    const dataDir = temporaryFolder()
    const { address } = await start(dataDir)
    const [row] = await query(
      address,
      `select current_setting('listen_addresses') as tcp, current_setting('fsync') as fsync,
        current_setting('synchronous_commit') as sync, current_setting('data_checksums') as sums,
        datlocprovider as provider, datlocale as locale from pg_database where datname = 'postgres'`,
    )
    expect(row).toEqual({ tcp: '', fsync: 'on', sync: 'on', sums: 'on', provider: 'b', locale: 'C.UTF-8' })
    await expect(query({ ...address, password: 'guess' }, 'select 1')).rejects.toThrow('password authentication')
    expect(readModes(dataDir, 'password', 'run', 'data', 'postgres.log')).toEqual([0o600, 0o700, 0o700, 0o600])
  })

  it('logs errors without the data in them, and limits the size of its log, even if the old log cannot be moved', async () => {
    vi.useFakeTimers({ toFake: ['setInterval'] })
    onTestFinished(() => void vi.useRealTimers())
    const dataDir = temporaryFolder()
    const { address } = await start(dataDir)
    await query(address, "create table mails (mail text unique); insert into mails values ('mia@papermoon.example')")
    await expect(query(address, "insert into mails values ('mia@papermoon.example')")).rejects.toThrow('duplicate key')
    const log = join(dataDir, 'postgres', 'postgres.log')
    expect(readFileSync(log, 'utf8')).toContain('duplicate key')
    expect(readFileSync(log, 'utf8')).not.toContain('mia@')
    const grow = () => {
      appendFileSync(log, 'x'.repeat(5_000_000))
      vi.advanceTimersByTime(10_000)
      return statSync(log).size
    }
    expect(grow()).toBeLessThan(5_000)
    rmSync(`${log}.1`)
    mkdirSync(`${log}.1`)
    expect(grow()).toBeLessThan(5_000)
  })

  it('keeps its data after a restart, leaves no process behind, and makes public files private again', async () => {
    const dataDir = join(temporaryFolder(), `it's "a" folder`)
    const first = await startEmbedded({ dataDir })
    await query(first.address, 'create table kept as select 7 as n')
    await Promise.all([first.stop(), first.stop()])
    expect(isServerRunning(join(dataDir, 'postgres', 'data'), first.pid())).toBe(false)
    execFileSync('chmod', ['-R', 'a+rwX', dataDir])
    const second = await start(dataDir)
    expect(await query(second.address, 'select n from kept')).toEqual([{ n: 7 }])
    expect(readModes(dataDir, 'password', 'run', 'data')).toEqual([0o600, 0o700, 0o700])
  })

  it('rejects a second start on the same folder, in this or another process, but not on other folders', async () => {
    const dataDir = temporaryFolder()
    const [one, other] = await Promise.all([start(dataDir), start(temporaryFolder())])
    await expect(startEmbedded({ dataDir })).rejects.toThrow(DataDirInUseError)
    expect(await spawnFixture('embedded-process.ts', dataDir).line()).toMatchObject({ error: 'DataDirInUseError' })
    await query(one.address, 'create table mine ()')
    await expect(query(other.address, 'select from mine')).rejects.toThrow('does not exist')
  })

  it('starts over if its first start was killed, and reports the end of the log if it does not start', async () => {
    const dataDir = temporaryFolder()
    mkdirSync(join(dataDir, 'postgres', 'data.unfinished'), { recursive: true })
    writeFileSync(join(dataDir, 'postgres', 'data.unfinished', 'PG_VERSION'), '18\n')
    await expect(startEmbedded({ dataDir, settings: { shared_buffers: 'plenty' } })).rejects.toThrow('shared_buffers')
    const server = await start(dataDir)
    expect(await query(server.address, 'select 1 as n')).toEqual([{ n: 1 }])
  })
})

describe('unusual folders', () => {
  it('with too long a path get a short private folder for the socket', async () => {
    const dataDir = join(temporaryFolder(), 'a-rather-long-name'.repeat(6))
    const server = await startEmbedded({ dataDir })
    const { host } = server.address
    expect(await query(server.address, 'select 1 as n')).toEqual([{ n: 1 }])
    expect([host.length < 60, statSync(host).mode & 0o777]).toEqual([true, 0o700])
    await server.stop()
    expect(existsSync(host)).toBe(false)
  })

  // Only root runs PostgreSQL as another user, and that user may lack access.
  it(
    'stores the data where its user has access if a parent folder is closed, and finds it again',
    needs('root', isRoot),
    async () => {
      const parent = temporaryFolder()
      chmodSync(parent, 0o700)
      const dataDir = join(parent, 'data')
      const first = await startEmbedded({ dataDir })
      await query(first.address, 'create table kept as select 7 as n')
      await first.stop()
      const elsewhere = readFileSync(join(dataDir, 'postgres-is-at'), 'utf8').trim()
      onTestFinished(() => rmSync(elsewhere, { recursive: true }))
      const second = await start(dataDir)
      expect(await query(second.address, 'select n from kept')).toEqual([{ n: 7 }])
    },
  )

  it('are reported in a sentence if the data is gone', async () => {
    const dataDir = temporaryFolder()
    writeFileSync(join(dataDir, 'postgres-is-at'), '/nowhere/at/all\n')
    await expect(startEmbedded({ dataDir })).rejects.toThrow('The database was in /nowhere/at/all, which is missing')
  })
})
