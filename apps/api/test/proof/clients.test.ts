import { once } from 'node:events'
import { createConnection, type Socket } from 'node:net'
import { describe, expect, it } from 'vitest'
import { createTestServer } from '../doors.ts'
import { sufferClients } from './chaos/clients.ts'

/** More, and until the server cuts them off: `npm run chaos -- clients`. */
const CLIENTS = 1_000

describe('rude clients', () => {
  it('who say nothing, half a request, or never read cost bounded memory, and others trade on', async () => {
    const { acknowledged, clients } = await sufferClients({ clients: CLIENTS, isPatient: false })
    expect(clients).toBe(CLIENTS)
    expect(acknowledged).toBeGreaterThan(0)
  }, 90_000)

  it.each([
    ['say nothing', ''],
    ['never end a head', 'GET /api/tokens HTTP/1.1\r\nHost: x\r\nX-Slow: '],
    ['go away without a word after an answer', 'GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n'],
    [
      'never end a body',
      'POST /api/auth/login HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 50\r\n\r\n{',
    ],
  ])('who %s are cut off', async (_, said) => {
    await expectCut(async (socket) => void socket.write(said))
  })

  it('who never read what they asked for are cut off', async () => {
    await expectCut(async (socket) => {
      socket.pause()
      for (;;) {
        // More than every buffer on the way holds.
        if (!socket.write('GET /api/openapi.json HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(1_000))) break
      }
    })
  })
})

/** A minute of silence, and the half minute between two looks for it, would be too long for a test. */
async function expectCut(beRude: (socket: Socket) => Promise<void>): Promise<void> {
  const server = await createTestServer()
  const http = server.fastify.server
  for (const limit of [http.timeout, http.headersTimeout, http.requestTimeout, http.keepAliveTimeout]) {
    expect(limit).toBeGreaterThan(0)
    expect(limit).toBeLessThanOrEqual(90_000)
  }
  Object.assign(http, { timeout: 300, keepAliveTimeout: 300, connectionsCheckingInterval: 50 })
  const port = await server.listen()
  const socket = createConnection(port, '127.0.0.1')
  socket.on('error', () => {})
  await once(socket, 'connect')
  await beRude(socket)
  const connections = () => new Promise((resolve) => http.getConnections((_error, count) => resolve(count)))
  await expect.poll(connections, { timeout: 20_000 }).toBe(0)
  socket.destroy()
  await server.close()
}
