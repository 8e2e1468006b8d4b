import { connect, type Socket } from 'node:net'
import type { SocketListener } from './socket-connection.ts'

const HEAD_END = '\r\n\r\n'
const BLOCK_END = '\n\n'
const ID = 'id: '

/** A minimal listener of Server-Sent Events. Reads events only as far as it must to count them. */
export class EventSourceConnection {
  readonly #socket: Socket
  readonly #listener: SocketListener
  #rest = Buffer.alloc(0)
  #isClosed = false

  private constructor(socket: Socket, listener: SocketListener) {
    this.#socket = socket
    this.#listener = listener
    socket.on('data', (data) => this.#take(data))
    socket.on('error', (error) => this.#end(error.message))
    socket.on('close', () => this.#end('the server closed an event stream'))
  }

  /** Connects to a local port. Rejects if the server refuses. */
  static open(
    { port, path }: { port: number; path: string },
    listener: SocketListener,
  ): Promise<EventSourceConnection> {
    return new Promise((resolve, reject) => {
      const socket = connect(port, '127.0.0.1', () =>
        socket.write(`GET ${path} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nAccept: text/event-stream\r\n\r\n`),
      )
      socket.setNoDelay(true)
      socket.once('error', reject)
      socket.once('data', (data) => {
        const end = data.indexOf(HEAD_END)
        const head = data.toString('latin1', 0, end)
        if (end < 0 || !head.startsWith('HTTP/1.1 200')) return reject(new Error(`no events at ${path}:\n${head}`))
        socket.off('error', reject)
        const connection = new EventSourceConnection(socket, listener)
        connection.#take(data.subarray(end + HEAD_END.length))
        resolve(connection)
      })
    })
  }

  close(): void {
    this.#isClosed = true
    this.#socket.destroy()
  }

  /** Blocks end with an empty line; chunk sizes before them are skipped. Only blocks with data are events. */
  #take(data: Buffer): void {
    const bytes = this.#rest.length === 0 ? data : Buffer.concat([this.#rest, data])
    let from = 0
    for (let end = bytes.indexOf(BLOCK_END); end >= 0; end = bytes.indexOf(BLOCK_END, from)) {
      const block = bytes.subarray(from, end + BLOCK_END.length)
      const start = block.indexOf(ID)
      if (start >= 0 && block.indexOf('\ndata: ', start) >= 0) this.#listener.text(block.subarray(start))
      from = end + BLOCK_END.length
    }
    this.#rest = Buffer.from(bytes.subarray(from))
  }

  #end(reason: string): void {
    if (this.#isClosed) return
    this.close()
    this.#listener.lost(reason)
  }
}
