import { execFile, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { readJson, root } from './project.mjs'

/** Past it npx takes over, which knows proxies and logins. The file has 20 MB. */
const FETCH_MAX_MS = 15_000
const ANSWER_MAX_MS = 3_000

/**
 * How to run the pnpm that package.json names: `{ command, args, remove }`. Its binary for this machine is fetched alone,
 * in a second, where npx takes seven; npx does it where that fails. `remove` deletes it.
 */
export async function providePnpm() {
  const { packageManager } = readJson(join(root, 'package.json'))
  const wanted = findBinary(packageManager, readFileSync(join(root, 'pnpm-lock.yaml'), 'utf8'))
  const registry = wanted && (await readRegistry())
  const fetched = registry && (await fetchPnpm(wanted, registry))
  // Also where a signal ends the install.
  if (fetched) process.once('exit', fetched.remove)
  // Without --yes npx may ask.
  return fetched || { command: 'npx', args: ['--yes', packageManager], remove: () => {} }
}

/** The package with pnpm's binary for this machine, as the lockfile has it; null where it has none. */
export function findBinary(packageManager, lockfile, machine = `${process.platform}-${process.arch}`) {
  const [, version] = /^pnpm@([\d.]+)/.exec(packageManager) ?? []
  const name = `exe.${machine}`
  const entry = `\n  '@pnpm/${name}@${version}':\n    resolution: {integrity: sha512-`
  const start = lockfile.indexOf(entry)
  if (start === -1) return null
  const [hash] = lockfile.slice(start + entry.length).split('}', 1)
  return { path: `@pnpm/${name}/-/${name}-${version}.tgz`, hash, version }
}

/** pnpm's binary in a folder of its own; null where the registry does not give it, or it does not run. Throws for other bytes. */
export async function fetchPnpm({ path, hash, version }, registry) {
  const folder = mkdtempSync(join(tmpdir(), 'papermoon-pnpm-'))
  const remove = () => rmSync(folder, { recursive: true, force: true })
  const command = join(folder, 'package', 'pnpm')
  try {
    const packed = await download(new URL(path, registry))
    if (createHash('sha512').update(packed).digest('base64') !== hash) throw new WrongBytes(path)
    await unpack(packed, folder)
    const { stdout } = await promisify(execFile)(command, ['--version'], { cwd: folder })
    if (stdout.trim() !== version) throw new Error('another version')
    return { command, args: [], remove }
  } catch (error) {
    remove()
    // npx would take them without a hash.
    if (error instanceof WrongBytes) throw error
    return null
  }
}

class WrongBytes extends Error {
  constructor(path) {
    super(`The registry gives another ${path} than pnpm-lock.yaml names. Nothing was installed.`)
  }
}

async function download(url) {
  const late = new AbortController()
  const timer = setTimeout(() => late.abort(), ANSWER_MAX_MS)
  const answer = await fetch(url, { signal: AbortSignal.any([late.signal, AbortSignal.timeout(FETCH_MAX_MS)]) })
  clearTimeout(timer)
  if (!answer.ok) throw new Error(`status ${answer.status}`)
  return Buffer.from(await answer.arrayBuffer())
}

async function unpack(packed, folder) {
  const tar = spawn('tar', ['-xzf', '-', '-C', folder], { stdio: ['pipe', 'ignore', 'ignore'] })
  const ended = once(tar, 'close')
  // A tar that fails closes its input; its exit code says so.
  tar.stdin.on('error', () => {})
  tar.stdin.end(packed)
  const [code] = await ended
  if (code !== 0) throw new Error('tar failed')
}

/** Where npm fetches packages, with a slash at its end; null where npm does not say. */
async function readRegistry() {
  try {
    const { stdout } = await promisify(execFile)('npm', ['config', 'get', 'registry'])
    return stdout.trim().replace(/\/?$/, '/')
  } catch {
    return null
  }
}
