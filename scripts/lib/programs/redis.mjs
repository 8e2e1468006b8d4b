import { execFileSync } from 'node:child_process'
import { installDebianPackages } from './debian.mjs'

/** Returns whether redis-server is available for multi-node tests. Installs it with apt if missing. */
export async function provideRedis() {
  if (hasRedis()) return true
  await installDebianPackages(['redis-server'], 'tests with several nodes')
  return hasRedis()
}

export function hasRedis() {
  try {
    execFileSync('redis-server', ['--version'], { stdio: 'ignore', timeout: 30_000 })
    return true
  } catch {
    return false
  }
}
