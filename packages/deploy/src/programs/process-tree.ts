import { readdirSync, readFileSync } from 'node:fs'

/** A process and all its descendants, parents first. Empty if it has ended; without /proc the process alone. */
export function listTree(pid: number): number[] {
  return [pid, ...listChildren(pid).flatMap(listTree)]
}

/** Sends a signal to each; ended ones are skipped. */
export function signalAll(pids: readonly number[], signal: NodeJS.Signals): void {
  for (const pid of pids) {
    if (!(pid > 1)) continue
    try {
      process.kill(pid, signal)
    } catch (error) {
      if (Object(error).code !== 'ESRCH') throw error
    }
  }
}

/** The postmaster of a data folder; null if none has run since it was made. */
export function readPostmasterPid(dataFolder: string): number | null {
  try {
    return Number(readFileSync(`${dataFolder}/postmaster.pid`, 'utf8').split('\n')[0])
  } catch {
    return null
  }
}

function listChildren(pid: number): number[] {
  try {
    return readdirSync(`/proc/${pid}/task`).flatMap((thread) =>
      readFileSync(`/proc/${pid}/task/${thread}/children`, 'utf8').split(' ').filter(Boolean).map(Number),
    )
  } catch {
    return [] // It has ended.
  }
}
