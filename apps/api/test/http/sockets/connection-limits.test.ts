import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { createConnection, type Socket } from 'node:net'
import { join } from 'node:path'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { connectionCapacity, openFilesMax } from '../../../src/http/sockets/connection-capacity.ts'
import { CONNECTIONS_PER_ADDRESS_MAX } from '../../../src/http/sockets/connection-limits.ts'
import { createTestServer, openSocket, type TestServer } from '../../support/test-server.ts'
import { WAIT_MAX_MS } from '../../support/wait.ts'

let server: TestServer
const sockets: Socket[] = []
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy()
  await server?.close()
})

async function serve(env: Record<string, string>): Promise<number> {
  server = await createTestServer({ hasJobs: false, env: { RATE_LIMIT: 'on', ...env } })
  return await server.listen()
}

async function connect(port: number, text = ''): Promise<Socket> {
  const socket = createConnection(port, '127.0.0.1')
  sockets.push(socket)
  socket.on('error', () => {})
  await once(socket, 'connect')
  if (text !== '') socket.write(text)
  return socket
}

const connectAll = (port: number, text = '') =>
  Promise.all(Array.from({ length: CONNECTIONS_PER_ADDRESS_MAX }, () => connect(port, text)))

/** The status of a request on a new connection; null if it was cut off. */
async function requestStatus(port: number, headers: readonly string[] = []): Promise<string | null> {
  const socket = await connect(port, ['GET /api/site HTTP/1.1', 'Host: x', ...headers, '', ''].join('\r\n'))
  // Without `once` of node:events, which rejects where the server resets the connection.
  const status = await new Promise<string | null>((resolve) => {
    socket.once('data', (data) => resolve(String(data).slice(9, 12)))
    socket.once('close', () => resolve(null))
  })
  socket.destroy()
  return status
}

const waitFor = (check: () => Promise<void>) => vi.waitFor(check, { timeout: WAIT_MAX_MS })

const openConnections = () =>
  new Promise<number>((resolve) => server.fastify.server.getConnections((_error, count) => resolve(count)))

describe('the connections of an address', () => {
  it('are bounded, idle ones too', async () => {
    const port = await serve({})
    const [first] = await connectAll(port)
    await waitFor(async () => expect(await openConnections()).toBe(CONNECTIONS_PER_ADDRESS_MAX))
    expect(await requestStatus(port)).toBeNull()
    first?.destroy()
    await waitFor(async () => expect(await requestStatus(port)).toBe('200'))
  })

  it('are counted for the address that a trusted proxy names; the proxy itself is unbounded', async () => {
    const port = await serve({ TRUST_PROXY: 'loopback' })
    // Each sends a head, and never its body.
    const head = ['POST /api/auth/login HTTP/1.1', 'Host: x', 'X-Forwarded-For: 203.0.113.7']
    const slow = [...head, 'Content-Type: application/json', 'Content-Length: 9', '', ''].join('\r\n')
    const [first] = await connectAll(port, slow)
    const theirs = ['X-Forwarded-For: 203.0.113.7']
    await waitFor(async () => expect(await requestStatus(port, theirs)).toBe('429'))
    expect(await requestStatus(port, ['X-Forwarded-For: 203.0.113.8'])).toBe('200')
    expect(await requestStatus(port)).toBe('200')
    first?.destroy()
    await waitFor(async () => expect(await requestStatus(port, theirs)).toBe('200'))
  })

  it('count a request through a proxy only while it lasts, however it ends', async () => {
    const port = await serve({ TRUST_PROXY: 'loopback' })
    const headers = { 'x-forwarded-for': '203.0.113.9' }
    for (let i = 0; i < CONNECTIONS_PER_ADDRESS_MAX; i++) {
      const url = ['/api/tokens/999', '/healthz', '/elsewhere', '/trpc/auth.me'][i % 4] ?? ''
      expect((await server.visitor().get(url, headers)).statusCode).not.toBe(429)
    }
    for (let i = 0; i < CONNECTIONS_PER_ADDRESS_MAX / 4; i++) {
      const listener = await openSocket(`ws://127.0.0.1:${port}/ws`, headers)
      listener.socket.close()
      await listener.closed
    }
    expect((await server.visitor().get('/api/site', headers)).statusCode).toBe(200)
  })

  it('are unbounded without limits', async () => {
    const port = await serve({ RATE_LIMIT: 'off' })
    await connectAll(port)
    expect(await requestStatus(port)).toBe('200')
  })
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

  it('follows the real limit of open files', () => {
    const module = join(import.meta.dirname, '../../../src/http/sockets/connection-capacity.ts')
    const script = `import(${JSON.stringify(module)}).then((m) => console.log(m.openFilesMax()))`
    const command = `ulimit -n 700 && exec ${process.execPath} -e '${script}'`
    expect(Number(execFileSync('sh', ['-c', command], { encoding: 'utf8' }))).toBe(700)
    expect(openFilesMax()).toBeGreaterThan(64)
  })

  it('is what the server accepts', async () => {
    await serve({})
    expect(server.fastify.server.maxConnections).toBe(connectionCapacity().connections)
  })
})
