import { existsSync, readFileSync } from 'node:fs'

/** Beside its sockets, a process has some files open. */
const SPARE = 200

/** Throws a sentence an operator can act on when a process may not have so many sockets open. */
export function assertRoomForSockets(sockets: number): void {
  const path = '/proc/self/limits'
  const limits = existsSync(path) ? readFileSync(path, 'utf8') : ''
  const most = openFilesMax(limits)
  if (most < sockets + SPARE) {
    throw new Error(
      `A process may have only ${most} files open, and ${sockets} sockets are needed: raise it with ulimit -n.`,
    )
  }
}

/** How many files a process may have open, by its `/proc/self/limits`: Node raises the soft limit to the hard one. */
export function openFilesMax(limits: string): number {
  const [, hard] = /^Max open files +\S+ +(\S+)/m.exec(limits) ?? []
  return hard === undefined || hard === 'unlimited' ? Number.POSITIVE_INFINITY : Number(hard)
}
