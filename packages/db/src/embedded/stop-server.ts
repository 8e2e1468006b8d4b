import { setTimeout as sleep } from 'node:timers/promises'
import { isServerRunning } from './postmaster-pid.ts'

/** Fast: no new connections, transactions rolled back, everything written. Immediate: as in a crash, but at once. */
const steps = [
  { signal: 'SIGINT', waitMs: 20_000 },
  { signal: 'SIGQUIT', waitMs: 5_000 },
  { signal: 'SIGKILL', waitMs: 5_000 },
] as const

/** Stops the server `pid` of the folder `data`, each step harder than the one before, and waits for its end. */
export async function stopServer(data: string, pid: number): Promise<void> {
  for (const { signal, waitMs } of steps) {
    if (!isServerRunning(data, pid)) return
    process.kill(pid, signal)
    const end = Date.now() + waitMs
    while (Date.now() < end && isServerRunning(data, pid)) await sleep(10)
  }
}
