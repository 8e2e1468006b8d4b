import { existsSync } from 'node:fs'
import { run } from '../run.mjs'

/** Installs a Debian package with apt-get, if we may. Returns whether it tried; prints the output of a failure. */
export async function installDebianPackage(name, purpose) {
  if (process.getuid?.() !== 0 || !existsSync('/etc/debian_version')) return false
  process.stdout.write(`Installing ${name} for ${purpose} (apt-get)…\n`)
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  await run('apt-get', ['update', '-q'], { isQuiet: true, env })
  const options = ['-q', '-y', '--no-install-recommends']
  const { code, output } = await run('apt-get', ['install', ...options, name], { isQuiet: true, env })
  if (code !== 0) process.stderr.write(output)
  return true
}
