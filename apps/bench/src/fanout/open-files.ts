import { existsSync, readFileSync } from 'node:fs'

/** Open files besides sockets. */
const SPARE = 200

/** Throws an instructive error if the process may not open that many sockets. */
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

/** Max open files, from `/proc/self/limits`. The hard limit applies, since Node raises the soft limit to it. */
export function openFilesMax(limits: string): number {
  const [, hard] = /^Max open files +\S+ +(\S+)/m.exec(limits) ?? []
  return hard === undefined || hard === 'unlimited' ? Number.POSITIVE_INFINITY : Number(hard)
}
