import { spawn } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { availableMemory } from 'node:process'
import { type EmbeddedPostgres, startEmbedded } from '../embedded/start-embedded.ts'
import { asAdmin } from './admin.ts'

/** Fast, not durable: test data is deleted with the run. */
const settings = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  max_connections: 200,
  // Whoever copies or drops a database looks through all of them.
  shared_buffers: '128MB',
  // Old WAL files stay for reuse, in memory.
  max_wal_size: '256MB',
  archive_mode: 'off',
  // A test's tables are too small and too short-lived for either.
  autovacuum: 'off',
  jit: 'off',
}

const memoryFolder = '/dev/shm'
/** Much more than any test writes. */
const spareBytes = 2 * 2 ** 30

/** Starts an embedded PostgreSQL in a temporary folder, which is removed by `stop` or when this process ends. */
export async function startTemporaryServer(): Promise<EmbeddedPostgres> {
  const dataDir = mkdtempSync(join(findFastFolder(), 'papermoon-test-'))
  chmodSync(dataDir, 0o711) // As root: PostgreSQL's user must be able to traverse it.
  const server = await startEmbedded({ dataDir, settings })
  // Each test opens connections; proving the password took most of the time of one.
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
 * Linux's memory file system where both have room, as containers often have not, else the system's temporary folder: copying
 * and dropping a database there costs a third of the CPU time, and a new cluster waits for no disk.
 */
export function findFastFolder(): string {
  if (process.platform !== 'linux') return tmpdir()
  try {
    const { bavail, bsize } = statfsSync(memoryFolder)
    if (bavail * bsize >= spareBytes && availableMemory() >= 2 * spareBytes) return memoryFolder
  } catch {
    // It is not mounted.
  }
  return tmpdir()
}

/**
 * Starts a shell that reads a pipe from this process. The pipe closes however this process ends, even by kill -9; then the
 * shell stops the server and removes its folder.
 */
function removeOnExit(dataDir: string, pid: number): () => void {
  const script = 'cat; kill -QUIT "$1"; sleep 1; rm -rf "$2"'
  const watchdog = spawn('/bin/sh', ['-c', script, 'sh', String(pid), dataDir], {
    detached: true, // A terminal's Ctrl-C must not end it first.
    stdio: ['pipe', 'ignore', 'ignore'],
  })
  watchdog.unref()
  const { stdin } = watchdog
  if ('unref' in stdin && typeof stdin.unref === 'function') stdin.unref()
  return () => watchdog.kill('SIGKILL')
}
