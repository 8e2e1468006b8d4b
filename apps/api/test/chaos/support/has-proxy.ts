import { execFileSync } from 'node:child_process'

/** Returns whether HAProxy is on the PATH of this machine. */
export function hasProxy(): boolean {
  try {
    execFileSync('haproxy', ['-v'], { stdio: 'ignore', env: { PATH: `${process.env.PATH}:/usr/sbin` } })
    return true
  } catch {
    return false
  }
}
