import { readFileSync } from 'node:fs'

/** Sends a signal to a process and to those it started; one that has ended is passed over. */
export function signalTree(pid: number, signal: NodeJS.Signals): void {
  for (const victim of [pid, ...findChildren(pid)]) signalIfThere(victim, signal)
}

/** Where the system does not tell, none: PostgreSQL's end by themselves when they notice that their parent is gone. */
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
