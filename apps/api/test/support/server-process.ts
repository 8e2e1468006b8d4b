import { type ChildProcess, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { compileCache } from '@papermoon/db/testing'

const SERVER = join(import.meta.dirname, '../../src/server.ts')
/** Node's options that `npm start` gives the server. */
const FLAGS: readonly string[] = JSON.parse(readFileSync(join(import.meta.dirname, '../../node-flags.json'), 'utf8'))

/** The real server, src/server.ts, in a process of its own. */
export interface ServerProcess {
  readonly child: ChildProcess
  /** Its first output, the line with its address; rejects if the server ends before. */
  readonly ready: Promise<string>
  /** The exit code, and everything it wrote. */
  readonly ended: Promise<{ readonly code: number | null; readonly stdout: string; readonly stderr: string }>
}

/** What reads the metrics of these servers. */
export const METRICS_TOKEN = 'the-tests-read-metrics'

/** With an empty market. */
const USUAL = { DEMO: 'off', METRICS_TOKEN }

/** The address in the first output of a server. */
export function readAddress(line: string): string {
  return /^Papermoon is at (http:\/\/localhost:\d+)\n$/.exec(line)?.[1] ?? `no address in ${line}`
}

/** Starts the server with these settings and no others of this process. `script`: the server of another build. */
export function startServer(
  env: Record<string, string>,
  args: readonly string[] = [],
  script: string = SERVER,
): ServerProcess {
  const child = spawn(process.execPath, [...FLAGS, script, ...args], {
    env: { PATH: process.env.PATH, ...compileCache, PORT: '0', LOG_LEVEL: 'warn', ...USUAL, ...env },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  })
  const output = { stdout: '', stderr: '' }
  // Not the child's `close`: it never comes once this side has closed the IPC channel.
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
  // Tests that only wait for the end ignore this.
  ready.catch(() => {})
  return { child, ready, ended }
}
