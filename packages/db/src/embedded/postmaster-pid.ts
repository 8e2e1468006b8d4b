import { execFileSync } from 'node:child_process'
import { readFileSync, realpathSync, rmSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'

/** The content of `postmaster.pid`, which a running or killed server wrote. */
export interface PostmasterFile {
  readonly pid: number
  readonly socketFolder: string
  readonly isReady: boolean
}

/** Reads `postmaster.pid` in a data folder; returns undefined if it is missing or incomplete. */
export function readPostmasterFile(data: string): PostmasterFile | undefined {
  let lines: string[]
  try {
    lines = readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n')
  } catch {
    return undefined
  }
  const pid = Number(lines[0])
  if (!Number.isSafeInteger(pid) || pid <= 1) return undefined
  return { pid, socketFolder: lines[4] ?? '', isReady: lines[7]?.trim() === 'ready' }
}

/** Returns whether the process with this pid is the PostgreSQL server of this data folder. */
export function isServerRunning(data: string, pid: number): boolean {
  return identify(data, pid) === 'its server'
}

/**
 * Deletes `postmaster.pid` if its pid now belongs to a process that is certainly not the server of this folder. Without
 * this, PostgreSQL would mistake that process for a running server and not start.
 */
export function removeStalePidFile(data: string): void {
  const file = readPostmasterFile(data)
  if (file && identify(data, file.pid) === 'unrelated') rmSync(join(data, 'postmaster.pid'), { force: true })
}

/** Finds the temporary socket folder of a killed server, if there is one (see makeSocketFolder). */
export function findLeftoverSocketFolder(data: string): string | undefined {
  const folder = readPostmasterFile(data)?.socketFolder
  return folder && dirname(folder) !== dirname(data) && /\/papermoon-\w{6}$/.test(folder) ? folder : undefined
}

function identify(data: string, pid: number): 'its server' | 'unrelated' | 'unclear' | 'gone' {
  const command = process.platform === 'linux' ? readLinuxCommand(pid) : readPsCommand(pid, data)
  if (!command?.program) return 'gone'
  if (basename(command.program) !== 'postgres') return 'unrelated'
  try {
    return realpathSync(command.folder) === realpathSync(data) ? 'its server' : 'unrelated'
  } catch {
    return 'unclear' // In this case, the folder of the server was renamed, perhaps to this one.
  }
}

interface Command {
  readonly program: string
  /** The argument of `-D`, or an empty text if there is no such argument. */
  readonly folder: string
}

/**
 * Reads the command line of a process from `cmdline`. A container's root may not read `/proc/…/cwd` of another user's
 * process.
 */
function readLinuxCommand(pid: number): Command | undefined {
  try {
    const args = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0')
    return { program: args[0] ?? '', folder: args[args.indexOf('-D') + 1] ?? '' }
  } catch {
    return undefined
  }
}

/**
 * Reads the command line of a process from `ps`, which joins arguments with spaces. The paths in the arguments may also
 * contain spaces.
 */
function readPsCommand(pid: number, data: string): Command | undefined {
  try {
    const line = execFileSync('ps', ['-ww', '-o', 'command=', '-p', String(pid)], { encoding: 'utf8' }).trim()
    const [program = '', rest = ''] = line.split(' -D ', 2)
    return { program, folder: rest.startsWith(`${data} `) ? data : (rest.split(' -c ')[0] ?? '') }
  } catch {
    return undefined
  }
}
