import { readFileSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import type { ChildServer } from './child-server.ts'

/** Node options for a server whose memory is measured. */
export const SETTLING = ['--expose-gc', '--import', './apps/bench/src/servers/settle-memory.ts']

const COLLECTIONS = 3
const BETWEEN_MS = 200

/** Resident memory of a server after garbage collection, in kB; NaN if unknown. */
export async function settledMemoryKb(server: ChildServer): Promise<number> {
  for (let i = 0; i < COLLECTIONS; i++) {
    await server.tell('gc')
    await delay(BETWEEN_MS)
  }
  const status = process.platform === 'linux' ? readFileSync(`/proc/${server.child.pid}/status`, 'utf8') : ''
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1] ?? Number.NaN)
}
