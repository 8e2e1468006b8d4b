import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { createConnection, type Socket } from 'node:net'
import { join } from 'node:path'
import { afterAll, afterEach, describe, expect, it, vi } from 'vitest'
import {
  CONNECTIONS_PER_ADDRESS_MAX,
  Counter,
  connectionCapacity,
  openFilesMax,
} from '../../../src/http/sockets/connection-limits.ts'
import { createTestServer, openSocket, type TestServer } from '../../support/test-server.ts'
import { WAIT_MAX_MS } from '../../support/wait.ts'

let server: TestServer
let port: number
const sockets: Socket[] = []
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy()
})
afterAll(() => server.close())

let served = ''
async function serve(env: Record<string, string>): Promise<void> {
  if (served === JSON.stringify(env)) return
  served = JSON.stringify(env)
  await server?.close()
  server = await createTestServer({ hasJobs: false, env: { RATE_LIMIT: 'on', ...env } })
  port = await server.listen()
}

async function connect(text = ''): Promise<Socket> {
  const socket = createConnection(port, '127.0.0.1')
  sockets.push(socket)
  socket.on('error', () => {})
  await once(socket, 'connect')
  if (text !== '') socket.write(text)
  return socket
}

const connectAll = (text = '') => Promise.all(Array.from({ length: CONNECTIONS_PER_ADDRESS_MAX }, () => connect(text)))

/** Returns the status of a request on a new connection, or null if the server closed it. */
async function requestStatus(headers: readonly string[] = []): Promise<string | null> {
  const socket = await connect(['GET /api/site HTTP/1.1', 'Host: x', ...headers, '', ''].join('\r\n'))
  // Do not use `once` of node:events, which rejects if the server resets the connection.
  const status = await new Promise<string | null>((resolve) => {
    socket.once('data', (data) => resolve(String(data).slice(9, 12)))
    socket.once('close', () => resolve(null))
  })
  socket.destroy()
  return status
}

const WAIT = { timeout: WAIT_MAX_MS }
const waitFor = (check: () => Promise<void>) => vi.waitFor(check, WAIT)

const openConnections = () =>
  new Promise<number>((resolve) => server.fastify.server.getConnections((_error, count) => resolve(count)))

describe('the connections of an IP address', () => {
  it('are limited, including idle ones', async () => {
    await serve({})
    expect(server.fastify.server.maxConnections).toBe(connectionCapacity().connections)
    const [first] = await connectAll()
    await waitFor(async () => expect(await openConnections()).toBe(CONNECTIONS_PER_ADDRESS_MAX))
    expect(await requestStatus()).toBeNull()
    first?.destroy()
    await waitFor(async () => expect(await requestStatus()).toBe('200'))
  })

  it('are counted for the address that a trusted proxy names, and the proxy itself has no limit', async () => {
    await serve({ TRUST_PROXY: 'loopback' })
    // Each request has a head, but its body never comes.
    const head = ['POST /api/auth/login HTTP/1.1', 'Host: x', 'X-Forwarded-For: 203.0.113.7']
    const slow = [...head, 'Content-Type: application/json', 'Content-Length: 9', '', ''].join('\r\n')
    const [first] = await connectAll(slow)
    const theirs = ['X-Forwarded-For: 203.0.113.7']
    await waitFor(async () => expect(await requestStatus(theirs)).toBe('429'))
    expect(await requestStatus(['X-Forwarded-For: 203.0.113.8'])).toBe('200')
    expect(await requestStatus()).toBe('200')
    first?.destroy()
    await waitFor(async () => expect(await requestStatus(theirs)).toBe('200'))
  })

  it('include a request through a proxy only while it lasts, however it ends', async () => {
    await serve({ TRUST_PROXY: 'loopback' })
    const add = vi.spyOn(Counter.prototype, 'add')
    const ip = '203.0.113.9'
    const headers = { 'x-forwarded-for': ip }
    for (const url of ['/api/tokens/999', '/healthz', '/elsewhere', '/trpc/auth.me']) {
      await server.visitor().get(url, headers)
    }
    const listener = await openSocket(`ws://127.0.0.1:${port}/ws`, headers)
    listener.socket.close()
    await listener.closed
    expect(add.mock.calls.filter(([key]) => key === ip).length).toBeGreaterThanOrEqual(5)
    const counters = [...new Set(add.mock.contexts as Counter[])]
    await expect.poll(() => counters.map((counter) => counter.count(ip)), WAIT).toEqual(counters.map(() => 0))
    add.mockRestore()
  })

  it('are not limited with RATE_LIMIT=off', async () => {
    await serve({ RATE_LIMIT: 'off' })
    await connectAll()
    expect(await requestStatus()).toBe('200')
  })
})

it('a counter of connections subtracts each one once, even if its end is reported twice', () => {
  const counter = new Counter()
  const [end] = [counter.add('a'), counter.add('a')]
  end?.()
  end?.()
  expect(counter.count('a')).toBe(1)
})

describe('the capacity for connections', () => {
  it.each([
    [Number.POSITIVE_INFINITY, 25_000, 20_000],
    [1_048_576, 25_000, 20_000],
    [20_000, 19_744, 15_795],
    [1_024, 768, 614],
    [100, 64, 51],
  ])('of a process with %i files is %i, %i of them sockets', (files, connections, sockets) => {
    expect(connectionCapacity(files)).toEqual({ connections, sockets })
  })

  it('follows the process’s limit of open files', () => {
    const module = join(import.meta.dirname, '../../../src/http/sockets/connection-limits.ts')
    const script = `import(${JSON.stringify(module)}).then((m) => console.log(m.openFilesMax()))`
    const command = `ulimit -n 700 && exec ${process.execPath} -e '${script}'`
    expect(Number(execFileSync('sh', ['-c', command], { encoding: 'utf8' }))).toBe(700)
    expect(openFilesMax()).toBeGreaterThan(64)
  })
})
