import { once } from 'node:events'
import { createConnection, type Socket } from 'node:net'

const CONNECTS_AT_ONCE = 200

const UPGRADE =
  'Host: 127.0.0.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n'

/** Clients that keep connections open and break their part of the protocol. */
export class RudeClients {
  readonly #port: number
  readonly #sockets: Socket[] = []

  constructor(port: number) {
    this.#port = port
  }

  /** Clients that the server has not cut off. */
  get open(): number {
    return this.#sockets.filter((socket) => !socket.closed && !socket.destroyed).length
  }

  /** Connect and send nothing, or half of a request's head, in turns. */
  async halfOpen(count: number): Promise<void> {
    await this.#connect(count, (socket, i) => {
      // Silent clients still read, so they notice the end.
      socket.resume()
      if (i % 2 === 1) socket.write('GET /api/tokens HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Slow: ')
    })
  }

  /** Pipeline the same request so often, and never read an answer. */
  async neverReading(count: number, path: string, requests: number): Promise<void> {
    await this.#connect(count, (socket) => {
      socket.pause()
      socket.write(`GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n`.repeat(requests))
    })
  }

  /** Open a WebSocket, send one message if there is one, and never read. Throws when the server refuses one. */
  async deafSockets(count: number, path: string, message?: string): Promise<void> {
    await this.#connect(count, async (socket) => {
      socket.write(`GET ${path} HTTP/1.1\r\n${UPGRADE}`)
      const [answer] = await once(socket, 'data')
      if (!String(answer).startsWith('HTTP/1.1 101')) throw new Error(`no socket: ${answer}`)
      socket.pause()
      if (message !== undefined) socket.write(masked(message))
    })
  }

  leave(): void {
    for (const socket of this.#sockets) socket.destroy()
  }

  async #connect(count: number, begin: (socket: Socket, i: number) => unknown): Promise<void> {
    for (let from = 0; from < count; from += CONNECTS_AT_ONCE) {
      const some = Array.from({ length: Math.min(CONNECTS_AT_ONCE, count - from) }, async (_, i) => {
        const socket = createConnection(this.#port, '127.0.0.1')
        this.#sockets.push(socket)
        socket.on('error', () => {}) // To be cut off is what they are for.
        await once(socket, 'connect')
        await begin(socket, from + i)
      })
      await Promise.all(some)
    }
  }
}

/** A client's text frame (RFC 6455) with a mask of zeros; up to 65,535 bytes. */
function masked(text: string): Buffer {
  const body = Buffer.from(text)
  const isShort = body.length < 126
  const head = isShort ? [0x81, 0x80 | body.length] : [0x81, 0x80 | 126, body.length >> 8, body.length & 0xff]
  return Buffer.concat([Buffer.from([...head, 0, 0, 0, 0]), body])
}
