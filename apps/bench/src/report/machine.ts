import { execFileSync } from 'node:child_process'
import { availableParallelism, cpus, loadavg, totalmem } from 'node:os'
import { ROOT } from '../paths.ts'

/** Describes where and when a run was measured. */
export function machineFacts() {
  const git = (...args: string[]) => execFileSync('git', args, { cwd: ROOT, encoding: 'utf8' }).trim()
  return {
    cpu: cpus()[0]?.model.trim() ?? 'unknown',
    cores: availableParallelism(),
    memoryGb: Math.round(totalmem() / 2 ** 30),
    node: process.version,
    /** Load average of the last minute before the run. If the load is above 0, other processes were active. */
    loadBefore: loadavg()[0] ?? 0,
    date: new Date().toISOString(),
    /** The commit that was measured, with `-dirty` if files differ from it. */
    commit: git('describe', '--always', '--dirty'),
  }
}
