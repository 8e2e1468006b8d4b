import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { compileCache } from '@papermoon/db/testing'

const PROGRAM = join(import.meta.dirname, '../../src/papermoon.ts')

/** How an operator's command ended, and what it wrote. */
export interface CommandEnd {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

/** Runs a command of `papermoon`, or another script, as `npm run` does, in a process of its own with these settings and no others. */
export function runCommand(
  command: string,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  nodeOptions: readonly string[] = [],
): Promise<CommandEnd> {
  const words = command.endsWith('.ts') ? [command] : [PROGRAM, command]
  return new Promise((resolve) => {
    const child = execFile(
      process.execPath,
      [...nodeOptions, ...words, ...args],
      { env: { PATH: process.env.PATH, ...compileCache, ...env } },
      (_, stdout, stderr) => resolve({ code: child.exitCode, stdout, stderr }),
    )
  })
}
