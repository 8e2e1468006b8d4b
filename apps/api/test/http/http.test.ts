import { createConnection } from 'node:net'
import { text } from 'node:stream/consumers'
import { describe, expect, it } from 'vitest'
import { shareTestServer } from '../support/test-server.ts'

const server = await shareTestServer()
const port = await server.listen()

/** Returns everything that the server sends until it closes the connection. */
async function sendRaw(bytes: string): Promise<string> {
  const socket = createConnection(port, '127.0.0.1')
  socket.write(bytes)
  return await text(socket)
}

describe('a client that offers HTTP/2 over plain HTTP, as Java clients do with each first request', () => {
  const OFFER =
    'Host: x\r\nConnection: Upgrade, HTTP2-Settings, close\r\nUpgrade: h2c\r\nHTTP2-Settings: AAEAAEAAAAIAAAAA\r\n'

  it('gets its response over HTTP/1.1', async () => {
    const answer = await sendRaw(`GET /api/site HTTP/1.1\r\n${OFFER}\r\n`)
    expect(answer).toMatch(/^HTTP\/1\.1 200 OK\r\n/)
    expect(answer).toContain('communityUrl')
  })

  it('can send a body', async () => {
    const body = '{"email":"nobody@x.org","password":"wrong-1"}'
    const headers = `${OFFER}Content-Type: application/json\r\nContent-Length: ${body.length}\r\n`
    expect(await sendRaw(`POST /api/auth/login HTTP/1.1\r\n${headers}\r\n${body}`)).toMatch(/^HTTP\/1\.1 401 /)
  })
})

it('rejects a body that is not UTF-8', async () => {
  const player = await server.player('latin')
  const answer = await player.send({
    method: 'POST',
    url: '/api/tokens/launch',
    headers: { 'content-type': 'application/json' },
    payload: Buffer.from('{"name":"caf\xe9","symbol":"CAFE"}', 'latin1'),
  })
  expect([answer.statusCode, answer.body]).toEqual([400, 'The request is not valid JSON.'])
})

describe('bytes that are not a request', () => {
  it.each([
    [
      'has too many headers',
      `GET / HTTP/1.1\r\nHost: x\r\n${'x: y\r\n'.repeat(3_000)}\r\n`,
      431,
      /headers .* too large\.$/,
    ],
    ['is not HTTP', '\x16\x03\x01 hello\r\n\r\n', 400, /^Could not read the request\.$/m],
    [
      'has two lengths',
      'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab',
      400,
      /^Could not read the request\.$/m,
    ],
  ])('and %s is refused with one plain sentence', async (_what, bytes, status, sentence) => {
    const answer = await sendRaw(bytes)
    expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `))
    expect(answer).toContain('Content-Type: text/plain; charset=utf-8\r\n')
    expect(answer).toMatch(sentence)
  })
})
