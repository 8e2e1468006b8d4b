import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { compileCache } from '@papermoon/db/testing'

/** How an operator's command ended, and what it wrote. */
export interface CommandEnd {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

/** Runs a command, or the script of another build, as `npm run` does, in a process of its own with these settings and no others. */
export function runCommand(
  command: 'audit' | 'admin' | 'backup' | 'restore' | 'scheduled-audit' | `${string}.ts`,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  nodeOptions: readonly string[] = [],
): Promise<CommandEnd> {
  const path = command.endsWith('.ts') ? command : join(import.meta.dirname, `../../src/commands/${command}.ts`)
  return new Promise((resolve) => {
    const child = execFile(
      process.execPath,
      [...nodeOptions, path, ...args],
      { env: { PATH: process.env.PATH, ...compileCache, ...env } },
      (_, stdout, stderr) => resolve({ code: child.exitCode, stdout, stderr }),
    )
  })
}
