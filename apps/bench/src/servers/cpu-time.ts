import { existsSync, readdirSync, readFileSync } from 'node:fs'

/** Length in ms of the unit in which Linux counts CPU time. */
const TICK_MS = 10

interface ProcessTimes {
  readonly parent: number
  /** CPU time of the process itself, in ms. */
  readonly ownMs: number
  /** CPU time of child processes that have ended, in ms. */
  readonly endedMs: number
}

/** Returns a process's CPU time since its start, in ms; NaN if unknown. */
export function readCpuMs(pid: number): number {
  return readTimes(pid)?.ownMs ?? Number.NaN
}

/** Returns the CPU time of a process and all its children, including ended ones, in ms; NaN if unknown. */
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
    // Here, the process has already ended.
    return null
  }
}

/** Parses `/proc/PID/stat`. The process name in parentheses may contain any character. */
function parseStat(stat: string): ProcessTimes {
  const fields = stat.slice(stat.lastIndexOf(') ') + 2).split(' ')
  const [own, system, childrenOwn, childrenSystem] = fields.slice(11, 15).map((ticks) => Number(ticks) * TICK_MS)
  return {
    parent: Number(fields[1]),
    ownMs: (own ?? Number.NaN) + (system ?? Number.NaN),
    endedMs: (childrenOwn ?? Number.NaN) + (childrenSystem ?? Number.NaN),
  }
}
