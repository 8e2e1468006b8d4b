import { spawn } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { availableMemory } from 'node:process'
import { type EmbeddedPostgres, startEmbedded } from '../embedded/start-embedded.ts'
import { asAdmin } from './admin.ts'

/** These settings are fast but not durable, because test data is deleted after the run. */
const settings = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  max_connections: 200,
  // Every copy or drop of a database searches all of these buffers.
  shared_buffers: '128MB',
  // Old WAL files stay in memory and are reused.
  max_wal_size: '256MB',
  archive_mode: 'off',
  // Switch both off, because the tables of a test are small and soon deleted.
  autovacuum: 'off',
  jit: 'off',
}

const memoryFolder = '/dev/shm'
/** Free space in bytes, which is much more than any test writes. */
const spareBytes = 2 * 2 ** 30

/** Starts an embedded PostgreSQL in a temporary folder, which is removed by `stop` or when this process ends. */
export async function startTemporaryServer(): Promise<EmbeddedPostgres> {
  const dataDir = mkdtempSync(join(findFastFolder(), 'papermoon-test-'))
  chmodSync(dataDir, 0o711) // If this process is root, PostgreSQL's user must be able to enter the folder.
  const server = await startEmbedded({ dataDir, settings })
  // Do not ask for a password, because proving it took most of the time of a connection.
  await asAdmin(server.address, async (admin) => {
    const { rows } = await admin.query<{ hba_file: string }>('show hba_file')
    writeFileSync(String(rows[0]?.hba_file), 'local all all trust\nlocal replication all trust\n')
    await admin.query('select pg_reload_conf()')
  })
  const stopWatching = removeOnExit(dataDir, server.pid())
  return {
    ...server,
    stop: async () => {
      await server.stop()
      stopWatching()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

/**
 * Returns the memory file system of Linux if both have space there, because copying and dropping a database there costs
 * a third of the CPU time. Otherwise returns the system's temporary folder.
 */
export function findFastFolder(): string {
  if (process.platform !== 'linux') return tmpdir()
  try {
    const { bavail, bsize } = statfsSync(memoryFolder)
    if (bavail * bsize >= spareBytes && availableMemory() >= 2 * spareBytes) return memoryFolder
  } catch {
    // The file system is not mounted.
  }
  return tmpdir()
}

/**
 * Starts a shell that reads a pipe from this process. The pipe closes when this process ends in any way, even by kill
 * -9. The shell then stops the server and removes its folder.
 */
function removeOnExit(dataDir: string, pid: number): () => void {
  const script = 'cat; kill -QUIT "$1"; sleep 1; rm -rf "$2"'
  const watchdog = spawn('/bin/sh', ['-c', script, 'sh', String(pid), dataDir], {
    detached: true, // Ctrl-C on a terminal must not end the shell first.
    stdio: ['pipe', 'ignore', 'ignore'],
  })
  watchdog.unref()
  const { stdin } = watchdog
  if ('unref' in stdin && typeof stdin.unref === 'function') stdin.unref()
  return () => watchdog.kill('SIGKILL')
}
