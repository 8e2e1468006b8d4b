import { execFile } from 'node:child_process'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

export const ROOT = fileURLToPath(new URL('../../..', import.meta.url))

export interface RunOptions {
  readonly cwd: string
  readonly env?: NodeJS.ProcessEnv
}

/** Runs a program and returns its output. Rejects with the whole output. */
export async function run(command: string, args: readonly string[], options: RunOptions): Promise<string> {
  try {
    const { stdout } = await promisify(execFile)(command, args, { encoding: 'utf8', ...options })
    return stdout
  } catch (error) {
    const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string }
    throw new Error(`${command} ${args.join(' ')} failed:\n${stdout}${stderr}`, { cause: error })
  }
}

/** Returns whether an install failed because the registry, or this package in it, was not available. */
export function isWithoutRegistry(error: unknown): boolean {
  return /ECONN|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|ERR_SOCKET|E404|EBADPLATFORM|ENOTCACHED|socket hang up/.test(
    String(error),
  )
}

/** Returns a Node of this major version: the current one, or another one on the PATH. */
export async function findNode(major: number): Promise<string | null> {
  const others = (process.env.PATH ?? '').split(delimiter).map((folder) => join(folder, 'node'))
  for (const node of [process.execPath, ...others]) {
    const version = await run(node, ['--version'], { cwd: ROOT }).catch(() => '')
    if (version.startsWith(`v${major}.`)) return node
  }
  return null
}
