import { once } from 'node:events'
import { createConnection, type Socket } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTestServer, type TestServer } from '../support/test-server.ts'

describe('slow and broken clients', () => {
  let server: TestServer
  let port: number
  beforeAll(async () => {
    server = await createTestServer()
    const { server: http } = server.fastify
    for (const limit of [http.timeout, http.headersTimeout, http.requestTimeout, http.keepAliveTimeout]) {
      expect(limit).toBeGreaterThan(0)
      expect(limit).toBeLessThanOrEqual(90_000)
    }
    // Shorten the timeouts, because the real ones take up to 90 seconds.
    Object.assign(http, { timeout: 300, keepAliveTimeout: 300, connectionsCheckingInterval: 50 })
    port = await server.listen()
  })
  afterAll(() => server?.close())

  /** Lets a client misbehave, and resolves once the server has closed the connection. */
  async function cutOff(beRude: (socket: Socket) => void): Promise<void> {
    const arrived = once(server.fastify.server, 'connection')
    const client = createConnection(port, '127.0.0.1')
    client.on('error', () => {}) // The server is expected to close the connection.
    const [atServer] = (await arrived) as [Socket]
    const closed = once(atServer, 'close')
    beRude(client)
    await closed
    client.destroy()
  }

  it.each([
    ['say nothing', ''],
    ['never end a head', 'GET /api/tokens HTTP/1.1\r\nHost: x\r\nX-Slow: '],
    ['go away without a word after an answer', 'GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n'],
    [
      'never end a body',
      'POST /api/auth/login HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 50\r\n\r\n{',
    ],
  ])('who %s are cut off', async (_, said) => {
    await cutOff((client) => void client.write(said))
  })

  it('that never read their responses are disconnected', async () => {
    await cutOff((client) => {
      client.pause()
      // The responses do not fit into the buffers between server and client.
      client.write('GET /api/openapi.json HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(1_000))
    })
  })
})
