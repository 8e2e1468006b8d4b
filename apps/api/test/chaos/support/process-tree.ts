import { readFileSync } from 'node:fs'

/** Sends a signal to a process and its children, and skips processes that have ended. */
export function signalTree(pid: number, signal: NodeJS.Signals): void {
  for (const victim of [pid, ...findChildren(pid)]) signalIfThere(victim, signal)
}

/**
 * Returns the child processes. Without /proc it returns none; then PostgreSQL's children end by themselves after their
 * parent.
 */
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
