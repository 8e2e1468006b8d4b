import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

/**
 * Returns the start time of process `pid` as an opaque text, or undefined if there is no such process. A later process
 * with the same pid has another text. On Linux, the text consists of the boot id and the clock ticks since boot. On
 * other systems, the text is the start time in seconds from `ps`.
 */
export function readProcessStart(pid: number): string | undefined {
  return process.platform === 'linux' ? readLinuxProcessStart(pid) : readPsProcessStart(pid)
}

const stateField = 0
const startTicksField = 19

function readLinuxProcessStart(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The second field is the name of the program, which may contain spaces and parentheses.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    if (fields[stateField] === 'Z' || fields[stateField] === 'X') return undefined
    const bootId = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
    return `${bootId.slice(0, 8)}-${fields[startTicksField]}`
  } catch {
    return undefined
  }
}

function readPsProcessStart(pid: number): string | undefined {
  try {
    const text = execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], {
      encoding: 'utf8',
      env: { LC_ALL: 'C', TZ: 'UTC' },
    })
    return text.trim().replaceAll(/\W+/g, '-') || undefined
  } catch {
    return undefined
  }
}
