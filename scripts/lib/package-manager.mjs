import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { readJson, root } from './project.mjs'

const execute = promisify(execFile)

/**
 * Returns how to run package.json's pnpm: `{ command, args, remove }`. Downloading only pnpm's binary for this machine
 * takes two seconds, while npx takes seven. npx is used if the lockfile has no binary that runs here. `remove` deletes
 * the binary.
 */
export async function providePnpm() {
  const { packageManager } = readJson(join(root, 'package.json'))
  const wanted = findBinary(packageManager, readFileSync(join(root, 'pnpm-lock.yaml'), 'utf8'))
  const fetched = wanted && (await fetchPnpm(wanted))
  // Remove the binary on exit, too, because a signal may end the install.
  if (fetched) process.once('exit', fetched.remove)
  // Without --yes, npx may ask the user.
  return fetched || { command: 'npx', args: ['--yes', packageManager], remove: () => {} }
}

/** Returns the package with pnpm's binary for this machine, from the lockfile; null if there is none. */
export function findBinary(packageManager, lockfile, machine = `${process.platform}-${process.arch}`) {
  const [, version] = /^pnpm@([\d.]+)/.exec(packageManager) ?? []
  const name = `@pnpm/exe.${machine}@${version}`
  const entry = `\n  '${name}':\n    resolution: {integrity: sha512-`
  const start = lockfile.indexOf(entry)
  if (start === -1) return null
  const [hash] = lockfile.slice(start + entry.length).split('}', 1)
  return { name, hash }
}

/**
 * Downloads pnpm's binary into its own folder with npm, which knows proxies and logins. Returns null if the binary does
 * not run. Throws if npm cannot download it, or if its bytes differ from the lockfile's hash.
 */
export async function fetchPnpm({ name, hash }, env = process.env) {
  const folder = mkdtempSync(join(tmpdir(), 'papermoon-pnpm-'))
  const remove = () => rmSync(folder, { recursive: true, force: true })
  try {
    const options = ['--pack-destination', folder, '--loglevel=error', '--prefer-offline', '--fetch-retries=1']
    const { stdout } = await execute('npm', ['pack', name, ...options], { cwd: root, env })
    const packed = join(folder, stdout.trim())
    if (createHash('sha512').update(readFileSync(packed)).digest('base64') !== hash) {
      throw new Error(`The registry gives another ${name} than pnpm-lock.yaml names. Nothing was installed.`)
    }
    await execute('tar', ['-xzf', packed, '-C', folder])
  } catch (error) {
    remove()
    throw error
  }
  const command = join(folder, 'package', 'pnpm')
  const runs = await execute(command, ['--version'], { cwd: folder }).then(
    () => true,
    () => false,
  )
  if (runs) return { command, args: [], remove }
  remove()
  return null
}
