import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { connect, createServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

/** A Redis of a test's own. */
export interface OwnRedis {
  readonly url: string
  stop(): Promise<void>
}

/** Null where none is installed. */
export async function startRedis(): Promise<OwnRedis | null> {
  const port = await freePort()
  const args = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no']
  const child = spawn('redis-server', args, { stdio: 'ignore' })
  const ended = once(child, 'exit')
  if (!(await listens(child, port))) return null
  return {
    url: `redis://127.0.0.1:${port}`,
    stop: async () => {
      child.kill()
      await ended
    },
  }
}

async function listens(child: ChildProcess, port: number): Promise<boolean> {
  let isMissing = false
  child.once('error', () => {
    isMissing = true
  })
  while (!isMissing && child.exitCode === null) {
    const isThere = await new Promise<boolean>((resolve) => {
      const socket = connect(port, '127.0.0.1', () => resolve(true)).once('error', () => resolve(false))
      socket.once('connect', () => socket.destroy())
    })
    if (isThere) return true
    await sleep(20)
  }
  return false
}

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  await new Promise((resolve) => server.close(resolve))
  if (address === null || typeof address === 'string') throw new Error('no port')
  return address.port
}
