import { existsSync, readdirSync, readFileSync } from 'node:fs'

/** Linux counts the time of a process in hundredths of a second. */
const TICK_MS = 10

interface ProcessTimes {
  readonly parent: number
  /** Its own time on a core, ms. */
  readonly ownMs: number
  /** That of its children who have ended, ms. */
  readonly endedMs: number
}

/** Of a process since its start, in ms of a core; NaN where the system does not tell. */
export function readCpuMs(pid: number): number {
  return readTimes(pid)?.ownMs ?? Number.NaN
}

/** The parent of a process; NaN where the system does not tell. */
export function readParent(pid: number): number {
  return readTimes(pid)?.parent ?? Number.NaN
}

/** Of a process and all its children since its start, also those that have ended, in ms of a core; NaN where the system does not tell. */
export function readFamilyCpuMs(pid: number): number {
  const own = readTimes(pid)
  if (own === null) return Number.NaN
  const others = readdirSync('/proc').filter((name) => /^\d+$/.test(name))
  const children = others.map((name) => readTimes(Number(name))).filter((times) => times?.parent === pid)
  return children.reduce((sum, times) => sum + (times?.ownMs ?? 0), own.ownMs + own.endedMs)
}

function readTimes(pid: number): ProcessTimes | null {
  const path = `/proc/${pid}/stat`
  if (!existsSync(path)) return null
  try {
    return parseStat(readFileSync(path, 'utf8'))
  } catch {
    // It ended meanwhile.
    return null
  }
}

/** Reads `/proc/PID/stat`; the name in it, in parentheses, may hold anything. */
export function parseStat(stat: string): ProcessTimes {
  const fields = stat.slice(stat.lastIndexOf(') ') + 2).split(' ')
  const [own, system, childrenOwn, childrenSystem] = fields.slice(11, 15).map((ticks) => Number(ticks) * TICK_MS)
  return {
    parent: Number(fields[1]),
    ownMs: (own ?? Number.NaN) + (system ?? Number.NaN),
    endedMs: (childrenOwn ?? Number.NaN) + (childrenSystem ?? Number.NaN),
  }
}
