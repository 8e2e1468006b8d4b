import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type EmbeddedPostgres, startEmbedded } from '@papermoon/db'
import { findHome, takeBaseBackup } from '@papermoon/db/backup'
import { sql } from 'kysely'
import { expect } from 'vitest'
import { makeDataFolder } from '../../support/data-folder.ts'
import type { OwnMarket } from './own-market.ts'

/**
 * Configuration files of the standby. It trusts every local connection, because the copy has the original's passwords.
 */
const FILES = {
  'pg_hba.conf': 'local all all trust\n',
  'postgresql.conf': '',
  'pg_ident.conf': '',
  'standby.signal': '',
}

/** A PostgreSQL that replicates another one synchronously: each commit waits for it. */
export interface Standby {
  /** Promotes the standby after the original has ended. */
  promote(): Promise<EmbeddedPostgres>
}

export async function startStandby({ address, dataDir: of, db }: OwnMarket): Promise<Standby> {
  const dataDir = makeDataFolder()
  const { data, passwordFile, user } = findHome(dataDir)
  mkdirSync(data)
  const { label } = await takeBaseBackup(address, of, {
    writeTar: async (content) => {
      const file = join(dataDir, 'base.tar')
      await writeFile(file, content)
      execFileSync('tar', ['-xf', file, '-C', data])
    },
    writeLog: async (name, bytes) => writeFileSync(join(data, 'pg_wal', name), bytes),
  })
  for (const [name, content] of Object.entries({ ...FILES, backup_label: label })) {
    writeFileSync(join(data, name), content)
  }
  writeFileSync(passwordFile, 'none')
  execFileSync('chmod', ['-R', 'go=', data])
  if (user) execFileSync('chown', ['-R', `${user.uid}:${user.gid}`, data])
  const { rows } = await sql<{ folder: string }>`
    select current_setting('unix_socket_directories') as folder`.execute(db)
  const password = readFileSync(findHome(of).passwordFile, 'utf8').trim()
  const source = `host=${rows[0]?.folder} user=papermoon password=${password}`
  // `ready` resolves only after the standby was promoted.
  const settings = { fsync: 'off', primary_conninfo: source, hot_standby: 'off' }
  const ready = startEmbedded({ dataDir, settings, readyWithinMs: 600_000 })
  ready.catch(() => {})
  await sql`alter system set synchronous_standby_names = '*'`.execute(db)
  await sql`select pg_reload_conf()`.execute(db)
  const countFollowers = async () =>
    (await sql`select from pg_stat_replication where sync_state = 'sync'`.execute(db)).rows.length
  await expect.poll(countFollowers, { timeout: 120_000 }).toBe(1)
  return {
    promote: async () => {
      writeFileSync(join(data, 'promote'), '')
      process.kill(readPid(dataDir), 'SIGUSR1')
      return await ready
    },
  }
}

/** Returns the process id of the PostgreSQL that runs on a data folder. */
export function readPid(dataDir: string): number {
  return Number.parseInt(readFileSync(join(findHome(dataDir).data, 'postmaster.pid'), 'utf8'), 10)
}
