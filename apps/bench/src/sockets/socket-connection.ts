import { randomBytes } from 'node:crypto'
import { connect, type Socket } from 'node:net'
import { CLOSE, clientFrame, FrameReader, PING, PONG, TEXT } from './frames.ts'

const HEAD_END = '\r\n\r\n'

export interface SocketTarget {
  readonly port: number
  readonly path: string
  /** The `Cookie` header of a player; null for a guest. */
  readonly cookie: string | null
}

export interface SocketListener {
  /** Called with the bytes of a text message, which are valid until this returns. */
  text(payload: Buffer): void
  /** Called when the socket ends without having been closed from this side. */
  lost(reason: string): void
}

/** A minimal WebSocket. It costs a fraction of any client library, so thousands fit beside the measured server. */
export class SocketConnection {
  readonly #socket: Socket
  readonly #listener: SocketListener
  readonly #frames = new FrameReader()
  #isClosed = false

  private constructor(socket: Socket, listener: SocketListener) {
    this.#socket = socket
    this.#listener = listener
    socket.on('data', (data) => this.#frames.push(data, this.#take))
    socket.on('error', (error) => this.#end(error.message))
    socket.on('close', () => this.#end('the server closed a socket'))
  }

  /** Connects to a local port. Rejects if the server refuses the upgrade. */
  static open(target: SocketTarget, listener: SocketListener): Promise<SocketConnection> {
    return new Promise((resolve, reject) => {
      const socket = connect(target.port, '127.0.0.1', () => socket.write(formatUpgrade(target)))
      socket.setNoDelay(true)
      socket.once('error', reject)
      socket.once('data', (data) => {
        const end = data.indexOf(HEAD_END)
        const head = data.toString('latin1', 0, end)
        if (end < 0 || !head.startsWith('HTTP/1.1 101'))
          return reject(new Error(`no socket at ${target.path}:\n${head}`))
        socket.off('error', reject)
        const connection = new SocketConnection(socket, listener)
        const rest = data.subarray(end + HEAD_END.length)
        if (rest.length > 0) connection.#frames.push(rest, connection.#take)
        resolve(connection)
      })
    })
  }

  send(text: string): void {
    this.#socket.write(clientFrame(TEXT, text))
  }

  close(): void {
    this.#isClosed = true
    this.#socket.destroy()
  }

  readonly #take = (opcode: number, payload: Buffer): void => {
    if (opcode === TEXT) this.#listener.text(payload)
    else if (opcode === PING) this.#socket.write(clientFrame(PONG, payload))
    else if (opcode === CLOSE) this.#end(`the server closed a socket: ${payload.toString('utf8', 2)}`)
  }

  #end(reason: string): void {
    if (this.#isClosed) return
    this.close()
    this.#listener.lost(reason)
  }
}

function formatUpgrade({ port, path, cookie }: SocketTarget): string {
  const lines = [
    `GET ${path} HTTP/1.1`,
    `Host: 127.0.0.1:${port}`,
    'Connection: Upgrade',
    'Upgrade: websocket',
    'Sec-WebSocket-Version: 13',
    `Sec-WebSocket-Key: ${randomBytes(16).toString('base64')}`,
  ]
  if (cookie !== null) lines.push(`Cookie: ${cookie}`)
  return [...lines, '', ''].join('\r\n')
}
