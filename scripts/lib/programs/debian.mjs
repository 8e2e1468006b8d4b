import { existsSync, rmSync, writeFileSync } from 'node:fs'
import { run } from '../run.mjs'

const servicePolicy = '/usr/sbin/policy-rc.d'

/**
 * Installs Debian packages with apt-get, if permitted, without starting their services. Returns whether apt-get ran,
 * and prints its output if it failed.
 */
export async function installDebianPackages(names, purpose) {
  if (process.getuid?.() !== 0 || !existsSync('/etc/debian_version')) return false
  process.stdout.write(`Installing ${names.join(' ')} for ${purpose} (apt-get)…\n`)
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  const isOurs = !existsSync(servicePolicy)
  if (isOurs) writeFileSync(servicePolicy, '#!/bin/sh\nexit 101\n', { mode: 0o755 })
  try {
    await run('apt-get', ['update', '-q'], { isQuiet: true, env })
    const options = ['-q', '-y', '--no-install-recommends']
    const { code, output } = await run('apt-get', ['install', ...options, ...names], { isQuiet: true, env })
    if (code !== 0) process.stderr.write(output)
  } finally {
    if (isOurs) rmSync(servicePolicy, { force: true })
  }
  return true
}
