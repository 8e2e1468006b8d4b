import { execFileSync } from 'node:child_process'

/** Whether this machine has a HAProxy on its PATH. */
export function hasProxy(): boolean {
  try {
    execFileSync('haproxy', ['-v'], { stdio: 'ignore', env: { PATH: `${process.env.PATH}:/usr/sbin` } })
    return true
  } catch {
    return false
  }
}
