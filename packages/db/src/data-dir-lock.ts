import assert from 'node:assert/strict'
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { DataDirInUseError } from './errors.ts'
import { readProcessStart } from './process-identity.ts'

/** A lock that is held until `release`, or until the process ends. */
export interface DataDirLock {
  release(): void
}

interface Claim {
  readonly file: string
  readonly pid: number
  readonly start: string
  readonly state: 'asking' | 'holding'
}

const waitStepMs = 20
const waitMaxMs = 5_000

/**
 * Locks `dataDir` for this process, and creates the folder if it is missing. Throws DataDirInUseError if another live
 * process holds the lock.
 * Each process writes a claim file with its pid and start time in the name. The claim of a killed process can therefore
 * never be mistaken for a live one, and deleting it never affects another process. If there are several claims at the
 * same time, the first in sort order wins: a process gives up if it sees an earlier claim, or one that already holds
 * the lock.
 */
export function acquireDataDirLock(dataDir: string): DataDirLock {
  const folder = join(resolve(dataDir), 'in-use-by')
  mkdirSync(folder, { recursive: true })
  const start = readProcessStart(process.pid)
  assert(start, 'a running process has a start time')
  const file = `${process.pid}.${start}`
  const path = join(folder, file)
  try {
    writeFileSync(path, 'asking', { flag: 'wx' })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    throw new DataDirInUseError(resolve(dataDir), process.pid)
  }
  try {
    waitForTurn(folder, file, resolve(dataDir))
    writeFileSync(path, 'holding')
  } catch (error) {
    rmSync(path, { force: true })
    throw error
  }
  return holdUntilExit(path)
}

function waitForTurn(folder: string, file: string, dataDir: string): void {
  const end = Date.now() + waitMaxMs
  for (;;) {
    const others = readLiveClaims(folder).filter((claim) => claim.file !== file)
    const winner = others.find((claim) => claim.state === 'holding' || claim.file < file)
    if (winner) throw new DataDirInUseError(dataDir, winner.pid)
    const [rival] = others
    if (!rival) return
    // The other process has a claim that sorts after ours, so it will see our claim and give up.
    if (Date.now() > end) throw new DataDirInUseError(dataDir, rival.pid)
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, waitStepMs)
  }
}

/** Returns the claims of live processes, and deletes those of dead processes. */
function readLiveClaims(folder: string): Claim[] {
  return readdirSync(folder).flatMap((file) => {
    const [pidText = '', start = ''] = file.split('.')
    const pid = Number(pidText)
    const path = join(folder, file)
    if (readProcessStart(pid) !== start) {
      rmSync(path, { force: true })
      return []
    }
    return [{ file, pid, start, state: readState(path) }]
  })
}

function readState(path: string): Claim['state'] {
  try {
    return readFileSync(path, 'utf8') === 'holding' ? 'holding' : 'asking'
  } catch {
    return 'asking' // The claim was just withdrawn. The next read will not find it.
  }
}

function holdUntilExit(path: string): DataDirLock {
  const release = () => {
    process.off('exit', release)
    rmSync(path, { force: true })
  }
  process.once('exit', release)
  return { release }
}
