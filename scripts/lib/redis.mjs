import { execFileSync } from 'node:child_process'
import { installDebianPackage } from './debian.mjs'

/** Whether there is a redis-server for the tests of several nodes: one of this machine, or one that apt installs. */
export async function provideRedis() {
  if (hasRedis()) return true
  await installDebianPackage('redis-server', 'the tests of several nodes')
  return hasRedis()
}

/** Whether there is a redis-server on the PATH. */
export function hasRedis() {
  try {
    execFileSync('redis-server', ['--version'], { stdio: 'ignore', timeout: 30_000 })
    return true
  } catch {
    return false
  }
}
