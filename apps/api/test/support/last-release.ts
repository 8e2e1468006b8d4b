import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'

const ROOT = join(import.meta.dirname, '../../../..')
/** The releases are not in `node_modules`, because Node does not run TypeScript there. */
const FOLDER = join(ROOT, '.releases')
const INSTALL_MAX_MS = 300_000

const run = promisify(execFile)

/** A released version in its own folder, with the packages of that version. */
export interface Release {
  readonly tag: string
  /** Paths of the scripts of the release's server and audit. */
  readonly server: string
  readonly audit: `${string}.ts`
}

/** Returns the newest tag before the current commit. Null if there is none, as in a shallow clone. */
export async function findLastTag(): Promise<string | null> {
  try {
    const { stdout } = await run('git', ['describe', '--tags', '--abbrev=0', '--match', 'v[0-9]*'], { cwd: ROOT })
    return stdout.trim()
  } catch {
    return null
  }
}

/** Installs a release, once for each of its commits. Throws if its packages cannot be installed. */
export async function installRelease(tag: string): Promise<Release> {
  const { stdout } = await run('git', ['rev-parse', `${tag}^{commit}`], { cwd: ROOT })
  const folder = join(FOLDER, stdout.trim())
  if (!existsSync(folder)) await install(tag, folder)
  const api = join(folder, 'apps/api/src')
  return { tag, server: `${api}/server.ts`, audit: `${api}/commands/audit.ts` }
}

/** Renames the folder once it is complete, so that an interrupted installation starts again. */
async function install(tag: string, folder: string): Promise<void> {
  mkdirSync(FOLDER, { recursive: true })
  const unfinished = mkdtempSync(join(FOLDER, 'unfinished-'))
  const options = { cwd: unfinished, timeout: INSTALL_MAX_MS, maxBuffer: 10 * 2 ** 20 }
  try {
    const archive = join(unfinished, 'release.tar')
    const parts = ['package.json', 'pnpm-lock.yaml', 'pnpm-workspace.yaml', 'apps/api', 'packages']
    await run('git', ['-C', ROOT, 'archive', '--output', archive, tag, ...parts], options)
    await run('tar', ['-xf', archive], options)
    rmSync(archive)
    const pnpm = join(ROOT, 'node_modules/.bin/pnpm')
    const wanted = ['--filter', '@papermoon/api...', 'install', '--prod', '--frozen-lockfile', '--prefer-offline']
    await run(pnpm, [...wanted, '--ignore-scripts'], { ...options, env: { ...process.env, CI: 'true' } })
    renameSync(unfinished, folder)
  } catch (error) {
    rmSync(unfinished, { recursive: true, force: true })
    // Another process may have created the folder first.
    if (!existsSync(folder)) throw error
  }
}
