import { once } from 'node:events'
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, it } from 'vitest'
import { type WebSocket, WebSocketServer } from 'ws'
import { RawConnections, toRequest } from './faults/hostile/raw-connection.ts'
import { openRawWebSocket, toFrame } from './faults/hostile/raw-web-socket.ts'

const localAddress = '127.0.0.1'
const request = toRequest('GET /', { host: 'localhost' })

let server: Server | undefined

afterEach(() => {
  server?.closeAllConnections()
  server?.close()
})

async function listen(answer?: RequestListener): Promise<string> {
  server = createServer(answer).listen(0, localAddress)
  await once(server, 'listening')
  return `http://${localAddress}:${(server.address() as AddressInfo).port}`
}

/** Serves one WebSocket, and opens it with `frames`. */
async function openPair(frames: readonly Buffer[]): Promise<WebSocket> {
  const url = await listen()
  const sockets = new WebSocketServer({ server })
  const opened = once(sockets, 'connection')
  openRawWebSocket({ url, path: '/ws', localAddress }, frames)
  const [socket] = await opened
  return socket
}

it('sends requests one after another over a connection that is kept, whatever the length of the answers', async () => {
  const ports = new Set<number | undefined>()
  const url = await listen(({ socket }, reply) => {
    ports.add(socket.remotePort)
    reply.writeHead(ports.size + 400, { 'content-length': 300_000 })
    reply.write('a'.repeat(100_000))
    setTimeout(() => reply.end('b'.repeat(200_000)), 5)
  })
  const connections = new RawConnections({ url, localAddress })
  expect(await connections.ask(request)).toBe(401)
  expect(await connections.ask(request)).toBe(401)
  expect(await Promise.all([connections.ask(request), connections.ask(request)])).toContain(402)
  expect(ports.size).toBe(2)
})

it('leaves a connection that the server closes, and says where it answered nothing', async () => {
  let asked = 0
  const url = await listen(({ socket }, reply) => {
    asked++
    if (asked === 2) return void socket.destroy()
    reply.writeHead(413, { connection: 'close', 'content-length': 2 }).end('no')
  })
  const connections = new RawConnections({ url, localAddress })
  expect(await connections.ask(request)).toBe(413)
  expect(await connections.ask(request)).toBe(null)
  expect(await connections.ask(request)).toBe(413)
})

it('sends a body with its length', async () => {
  const bodies: string[] = []
  const url = await listen(async (asked, reply) => {
    let body = ''
    for await (const part of asked) body += part
    bodies.push(body)
    reply.writeHead(200, { 'content-length': 0 }).end()
  })
  const connections = new RawConnections({ url, localAddress })
  expect(await connections.ask(toRequest('POST /', { host: 'localhost' }, '{"name":"Möwe"}'))).toBe(200)
  expect(bodies).toEqual(['{"name":"Möwe"}'])
})

it.each([5, 125, 126, 300, 65_535, 65_536])(
  'says its frames, and finds a ping behind a text of %i bytes',
  async (bytes) => {
    const said = 'x'.repeat(Math.min(bytes, 60_000))
    const socket = await openPair([toFrame('first'), toFrame(said)])
    const heard: string[] = []
    await new Promise<void>((resolve) => {
      socket.on('message', (data) => {
        heard.push(String(data))
        if (heard.length === 2) resolve()
      })
    })
    expect(heard).toEqual(['first', said])
    const answered = once(socket, 'pong')
    socket.send('y'.repeat(bytes))
    socket.ping()
    await answered
  },
)

it('answers a goodbye, and ends', async () => {
  const socket = await openPair([])
  const closed = once(socket, 'close')
  socket.close(1_001, 'bye')
  const [code] = await closed
  expect(code).toBe(1_000)
})

it('ends where the upgrade is refused', async () => {
  const url = await listen()
  server?.on('upgrade', (_, socket) => socket.end('HTTP/1.1 403 Forbidden\r\ncontent-length: 0\r\n\r\n'))
  const socket = openRawWebSocket({ url, path: '/ws', localAddress }, [toFrame('never read')])
  await once(socket, 'close')
  expect(socket.destroyed).toBe(true)
})
