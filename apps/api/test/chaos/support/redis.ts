import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { findFreePorts } from '@papermoon/db/testing'

/** A Redis for one test. */
export interface OwnRedis {
  readonly port: number
  readonly url: string
  stop(signal?: NodeJS.Signals): Promise<void>
  /** Stops responding, but keeps the connections open, until `thaw`. */
  freeze(): void
  thaw(): void
}

/** Returns whether redis-server is on the PATH of this machine. */
export function hasRedis(): boolean {
  try {
    execFileSync('redis-server', ['--version'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

/** Starts a redis-server on a free port, or on `port`. Throws if it is not installed or exits at once. */
export async function startRedis(port?: number): Promise<OwnRedis> {
  const listensOn = port ?? (await findFreePorts(1))
  const args = ['--port', String(listensOn), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no']
  const child = spawn('redis-server', args, { stdio: 'ignore' })
  await once(child, 'spawn')
  const ended = once(child, 'exit')
  if (!(await listens(child, listensOn))) throw new Error(`redis-server ended with code ${child.exitCode}`)
  return {
    port: listensOn,
    url: `redis://127.0.0.1:${listensOn}`,
    stop: async (signal) => {
      child.kill(signal)
      await ended
    },
    freeze: () => void child.kill('SIGSTOP'),
    thaw: () => void child.kill('SIGCONT'),
  }
}

async function listens(child: ChildProcess, port: number): Promise<boolean> {
  while (child.exitCode === null) {
    const isThere = await new Promise<boolean>((resolve) => {
      const socket = connect(port, '127.0.0.1', () => resolve(true)).once('error', () => resolve(false))
      socket.once('connect', () => socket.destroy())
    })
    if (isThere) return true
    await sleep(20)
  }
  return false
}
