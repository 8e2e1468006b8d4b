import { type ChildProcess, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { compileCache } from '@papermoon/db/testing'

const SERVER = join(import.meta.dirname, '../../src/server.ts')
/** The options that `npm start` gives to Node. */
const FLAGS: readonly string[] = JSON.parse(readFileSync(join(import.meta.dirname, '../../node-flags.json'), 'utf8'))

/** The real server, src/server.ts, in its own process. */
export interface ServerProcess {
  readonly child: ChildProcess
  /** Resolves to the first output, a line with the server's URL. Rejects if the server exits before. */
  readonly ready: Promise<string>
  /** Resolves to the exit code and the whole output. */
  readonly ended: Promise<{ readonly code: number | null; readonly stdout: string; readonly stderr: string }>
}

/** Token with which tests read the metrics of these servers. */
export const METRICS_TOKEN = 'the-tests-read-metrics'

/** Default settings: an empty market. */
const USUAL = { DEMO: 'off', METRICS_TOKEN }

/** Returns the URL in the first output of a server. */
export function readAddress(line: string): string {
  return /^Papermoon is at (http:\/\/localhost:\d+)\n$/.exec(line)?.[1] ?? `no address in ${line}`
}

/** Starts the server with these settings and no others of this process. `script` is the server of another build. */
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
  // Do not wait for the child's `close`, which never comes after this side has closed the IPC channel.
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
  // A test that only waits for `ended` ignores `ready`, so its rejection must not be an unhandled one.
  ready.catch(() => {})
  return { child, ready, ended }
}
