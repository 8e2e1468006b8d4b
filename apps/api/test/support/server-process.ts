import { type ChildProcess, spawn } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { compileCache } from '@papermoon/db/testing'

const SERVER = join(import.meta.dirname, '../../src/server.ts')

/** The server as a process of its own. */
export interface ServerProcess {
  readonly child: ChildProcess
  /** The line on stdout that says where it is; rejects when it ends before. */
  readonly ready: Promise<string>
  /** How it ended, and all it wrote. */
  readonly ended: Promise<{ readonly code: number | null; readonly stdout: string; readonly stderr: string }>
}

/** Starts the server with these settings and no others; it shows no reset codes, of which it would warn. */
export function startServer(env: Record<string, string>): ServerProcess {
  const child = spawn(process.execPath, [SERVER], {
    env: { PATH: process.env.PATH, ...compileCache, PORT: '0', LOG_LEVEL: 'warn', SHOW_RESET_CODES: 'off', ...env },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  })
  const output = { stdout: '', stderr: '' }
  // Not `close`, which does not come once the channel was closed from this side.
  const ended = Promise.all([
    new Promise<number | null>((resolve) => child.once('exit', resolve)),
    ...[child.stdout, child.stderr].map((stream) => new Promise((resolve) => stream?.once('close', resolve))),
  ]).then(([code]) => ({ code, ...output }))
  child.stderr?.on('data', (data: Buffer) => {
    output.stderr += data
  })
  const ready = new Promise<string>((resolve, reject) => {
    child.stdout?.on('data', (data: Buffer) => {
      output.stdout += data
      if (output.stdout.endsWith('\n')) resolve(output.stdout)
    })
    void ended.then(({ stderr }) => reject(new Error(`the server ended: ${stderr}`)))
  })
  // Who only waits for the end need not look at this.
  ready.catch(() => {})
  return { child, ready, ended }
}

/** A data folder that the database's user can pass through, and the way to remove it. */
export function createDataDir(): { readonly path: string; remove(): void } {
  const path = mkdtempSync(join(tmpdir(), 'papermoon-process-'))
  chmodSync(path, 0o711)
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) }
}
