import { setTimeout as sleep } from 'node:timers/promises'
import { isServerRunning } from './postmaster-pid.ts'

/** SIGINT: fast shutdown, rolls back transactions and writes everything. SIGQUIT: immediate shutdown, as in a crash. */
const steps = [
  { signal: 'SIGINT', waitMs: 20_000 },
  { signal: 'SIGQUIT', waitMs: 5_000 },
  { signal: 'SIGKILL', waitMs: 5_000 },
] as const

/** Stops server `pid` of the folder `data` in escalating steps and waits for its end. */
export async function stopServer(data: string, pid: number): Promise<void> {
  for (const { signal, waitMs } of steps) {
    if (!isServerRunning(data, pid)) return
    process.kill(pid, signal)
    const end = Date.now() + waitMs
    while (Date.now() < end && isServerRunning(data, pid)) await sleep(10)
  }
}
