// @module-tag nightly
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { expect, it, onTestFinished, vi } from 'vitest'
import { takeBaseBackup } from '../src/backup/base-backup.ts'
import { recoverCluster } from '../src/backup/recover.ts'
import { findHome } from '../src/embedded/home.ts'
import { query, start } from './fixtures/embedded-server.ts'
import { temporaryFolder } from './fixtures/temporary-folder.ts'

async function* once<T>(value: T): AsyncIterable<T> {
  yield value
}

it('rejects a log file whose name would put it into another folder', async () => {
  const dataDir = temporaryFolder()
  const recovered = recoverCluster(dataDir, {
    tar: once(Buffer.alloc(1_024)),
    label: '',
    password: 'secret',
    until: { lsn: 1 },
    log: once({ name: '../postgresql.conf', bytes: Buffer.from('shared_preload_libraries = theirs') }),
  })
  await expect(recovered).rejects.toThrow('The backup has ../postgresql.conf, which is no file of a log.')
  const { data } = findHome(dataDir)
  expect(readFileSync(join(data, 'postgresql.conf'), 'utf8')).toBe('')
})

it('rejects a backup whose log lost a file meanwhile', async () => {
  const dataDir = temporaryFolder()
  const { address } = await start(dataDir)
  const endFile = async () => {
    await query(address, 'select pg_current_xact_id()')
    const [row] = await query(address, 'select pg_walfile_name(pg_current_wal_insert_lsn()) as file, pg_switch_wal()')
    return (row as { file: string }).file
  }
  let lost = ''
  const taken = takeBaseBackup(address, dataDir, {
    writeTar: async (content) => {
      for await (const _ of content);
      await endFile()
      lost = await endFile()
      rmSync(join(findHome(dataDir).data, 'pg_wal', lost))
    },
    writeLog: async () => {},
  })
  await expect(taken).rejects.toThrow(/PostgreSQL no longer has the file [0-9A-F]{24} of its log/)
  await expect(taken).rejects.toThrow(lost)
})

it('waits for tar, which may exit after its output has ended', async () => {
  const programs = temporaryFolder()
  writeFileSync(join(programs, 'tar'), '#!/bin/sh\nexec 1>&-\nsleep 0.3\n', { mode: 0o755 })
  vi.stubEnv('PATH', `${programs}${delimiter}${process.env.PATH}`)
  onTestFinished(() => void vi.unstubAllEnvs())
  const dataDir = temporaryFolder()
  const { address } = await start(dataDir)
  const backup = await takeBaseBackup(address, dataDir, {
    writeTar: async (content) => {
      for await (const _ of content);
    },
    writeLog: async () => {},
  })
  expect(backup.label).toContain('papermoon')
})
