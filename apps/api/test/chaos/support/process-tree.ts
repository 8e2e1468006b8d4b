import { readFileSync } from 'node:fs'

/** Sends a signal to a process and its children; ended ones are skipped. */
export function signalTree(pid: number, signal: NodeJS.Signals): void {
  for (const victim of [pid, ...findChildren(pid)]) signalIfThere(victim, signal)
}

/** None without /proc; PostgreSQL's children then end by themselves once their parent is gone. */
function findChildren(pid: number): number[] {
  try {
    return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number)
  } catch {
    return []
  }
}

function signalIfThere(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}
