import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** Requests that must not break a receiver: aborted, too large, with a wrong length, or not signed. */
export const HOSTILE_REQUESTS: readonly string[] = [
  toPost('content-length: 100', '{"type"'),
  toPost('content-length: 4000000', 'x'.repeat(4_000_000)),
  toPost('content-length: 99999999999', 'x'),
  toPost('content-length: -1', 'x'),
  toPost('content-length: 2\r\nwebhook-timestamp: ²\r\nwebhook-signature: v1,é', '{}'),
  toPost(`content-length: 2\r\nwebhook-timestamp: ${'9'.repeat(5_000)}`, '{}'),
  toPost('transfer-encoding: chunked', '5\r\n{"a"'),
  '\u0000\u0001\r\n\r\n',
]

/** Sends bytes, and closes the connection when a response begins or after a short time. */
export async function sendAndBreakOff(port: number, text: string): Promise<void> {
  const socket = connect(port, '127.0.0.1')
  socket.on('error', () => {})
  socket.setTimeout(1_000, () => socket.destroy())
  socket.once('data', () => socket.destroy())
  socket.write(Buffer.from(text, 'latin1'))
  // Do not use `once`, because it rejects if a receiver closes the connection before it has read everything.
  await new Promise((resolve) => socket.once('close', resolve))
}

export interface HostileProxy {
  readonly url: string
  /** Number of streams that the proxy has broken so far. */
  broken: number
  close(): void
}

const BROKEN_MAX = 2
const GARBAGE = 'id: 1\ndata: {"type": "trade", "tokenId"\n\ndata: null\n\ndata: {"ty'

/**
 * Starts a proxy that breaks the first streams of a server. The broken streams get wrong data and end in the middle of
 * a message.
 */
export async function startHostileProxy(target: string): Promise<HostileProxy> {
  const { hostname, port } = new URL(target)
  const open = new Set<Socket>()
  const server = createServer((client) => {
    const upstream = connect(Number(port), hostname)
    open.add(client.on('error', () => {}).on('close', () => upstream.destroy()))
    upstream.on('error', () => {}).on('close', () => client.destroy())
    upstream.on('data', (bytes) => client.write(bytes))
    client.on('data', (bytes) => {
      const isStream = /^GET \/(ws|api\/events)/.test(bytes.toString('latin1'))
      if (!isStream || proxy.broken >= BROKEN_MAX) return void upstream.write(bytes)
      proxy.broken++
      client.end(toGarbage(bytes.toString('latin1')))
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const proxy: HostileProxy = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    broken: 0,
    close: () => {
      for (const socket of open) socket.destroy()
      server.close()
    },
  }
  return proxy
}

function toPost(headers: string, body: string): string {
  return `POST / HTTP/1.1\r\nhost: receiver\r\n${headers}\r\n\r\n${body}`
}

/** Returns the first bytes of an event stream, or of a WebSocket with one text frame (RFC 6455). */
function toGarbage(request: string): Buffer {
  const [, key] = /sec-websocket-key: (.*)\r/i.exec(request) ?? []
  if (key === undefined) {
    const head = 'HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n'
    return Buffer.from(`${head}${GARBAGE.length.toString(16)}\r\n${GARBAGE}\r\n`)
  }
  const accept = createHash('sha1').update(`${key}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`).digest('base64')
  const head = `HTTP/1.1 101 Switching Protocols\r\nupgrade: websocket\r\nconnection: upgrade\r\nsec-websocket-accept: ${accept}\r\n\r\n`
  return Buffer.concat([Buffer.from(head), Buffer.from([0x81, GARBAGE.length]), Buffer.from(GARBAGE)])
}
