import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import type { DatabaseAddress } from '../client.ts'
import { findHome } from '../embedded/home.ts'
import { EmbeddedPostgresError } from '../errors.ts'
import { CLOCK_MARGIN_MS, endLogFile, getNextLogFile, type LogEnd } from './log-position.ts'
import { UNLIMITED, withClient } from './logical.ts'

/**
 * Files that a copy leaves out: those of the running server, and its write-ahead log, which is copied at the end. The
 * settings are also left out, because a copy gets its own.
 */
const LEFT_OUT = ['pg_wal', 'pg_replslot', 'pg_notify', 'pg_stat_tmp', 'pg_subtrans', 'pg_dynshmem']
  .map((folder) => `./${folder}/*`)
  .concat('./postmaster.*', './*.conf', './*.signal', '*/pgsql_tmp*')

export interface BaseBackup {
  /** The log position up to which the log was copied, and the log's last file. */
  readonly mark: LogEnd
  /** Content of `backup_label`, which says where the replay of the log begins. */
  readonly label: string
}

export interface BaseBackupTarget {
  writeTar(content: AsyncIterable<Buffer>): Promise<void>
  /** Stores one file of the write-ahead log. */
  writeLog(name: string, bytes: Buffer): Promise<void>
}

/**
 * Copies the data folder of the running embedded server. The copy includes the write-ahead log that makes it
 * consistent. Trading continues during the copy.
 */
export async function takeBaseBackup(
  address: DatabaseAddress,
  dataDir: string,
  { writeTar, writeLog }: BaseBackupTarget,
): Promise<BaseBackup> {
  const { data } = findHome(dataDir)
  return await withClient(address, async (client) => {
    // The replication slot makes PostgreSQL keep the log until the connection ends in any way, even if the log is not
    // archived. PostgreSQL does not keep more than 4 GB of this log.
    await client.query(
      `${UNLIMITED}; select pg_create_physical_replication_slot('papermoon_base_' || pg_backend_pid(), true, true)`,
    )
    await client.query("select pg_backup_start('papermoon', true)")
    await writeTar(packFolder(data))
    const { rows } = await client.query<{ label: string }>('select labelfile as label from pg_backup_stop(false)')
    const label = rows[0]?.label ?? ''
    const first = /\(file ([0-9A-F]{24})\)/.exec(label)?.[1]
    if (first === undefined) throw new Error('PostgreSQL named no file of its log')
    // Wait here, so that the recorded time is later than all commits in the copy.
    await sleep(2 * CLOCK_MARGIN_MS)
    const mark = await endLogFile(client)
    for (let name = first; name <= mark.file; name = getNextLogFile(name)) {
      const bytes = await readFile(join(data, 'pg_wal', name)).catch((cause: unknown) => {
        throw new EmbeddedPostgresError(`PostgreSQL no longer has the file ${name} of its log.`, { cause })
      })
      await writeLog(name, bytes)
    }
    return { mark, label }
  })
}

async function* packFolder(folder: string): AsyncIterable<Buffer> {
  const args = [...LEFT_OUT.map((path) => `--exclude=${path}`), '-cf', '-', '-C', folder, '.']
  const tar = spawn('tar', args, { stdio: ['ignore', 'pipe', 'pipe'] })
  const ended = Promise.all([once(tar, 'close'), text(tar.stderr)])
  ended.catch(() => {})
  let isRead = false
  try {
    yield* tar.stdout
    isRead = true
  } finally {
    // tar ends by itself shortly after its last output.
    if (!isRead) tar.kill()
  }
  const [[code], complaints] = await ended
  // With exit code 1, a file changed or vanished during the copy. The replay of the log repairs such files.
  if (code !== 0 && code !== 1) throw new EmbeddedPostgresError(`tar could not copy ${folder}: ${complaints.trim()}`)
}
