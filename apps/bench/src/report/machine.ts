import { execFileSync } from 'node:child_process'
import { availableParallelism, cpus, loadavg, release, totalmem } from 'node:os'
import { ROOT } from '../paths.ts'

/** Where and when a run was measured. */
export interface Machine {
  readonly cpu: string
  readonly cores: number
  readonly memoryGb: number
  readonly system: string
  readonly node: string
  /** Load average of the last minute before the run. Above 0, other processes were active. */
  readonly loadBefore: number
  readonly date: string
  /** The commit, with `+changes` if files differ from it. */
  readonly commit: string
}

/** Describes this machine now. */
export function machineFacts(): Machine {
  return {
    cpu: cpus()[0]?.model.trim() ?? 'unknown',
    cores: availableParallelism(),
    memoryGb: Math.round(totalmem() / 2 ** 30),
    system: `${process.platform} ${release()}`,
    node: process.version,
    loadBefore: loadavg()[0] ?? 0,
    date: new Date().toISOString(),
    commit: readCommit(),
  }
}

function readCommit(): string {
  try {
    const commit = git('rev-parse', '--short', 'HEAD')
    return git('status', '--porcelain', '--untracked-files=no') === '' ? commit : `${commit}+changes`
  } catch {
    return 'unknown'
  }
}

function git(...args: string[]): string {
  return execFileSync('git', args, { cwd: ROOT, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim()
}
