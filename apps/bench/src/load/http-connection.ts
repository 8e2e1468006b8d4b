import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { performance } from 'node:perf_hooks'

const HEAD_END = '\r\n\r\n'
const NOTHING = Buffer.alloc(0)

/**
 * A keep-alive HTTP/1.1 connection. The connection sends one raw request at a time, and skips bodies by their
 * `content-length`. This class costs much less than any HTTP client, so that the bench measures the server and not the
 * load generator.
 */
export class HttpConnection {
  readonly #socket: Socket
  readonly #port: number
  #head: Buffer = NOTHING
  #status = 0
  /** Number of bytes of the body that have not arrived yet. */
  #rest = 0
  #waiting: PromiseWithResolvers<number> | null = null

  private constructor(socket: Socket, port: number) {
    this.#socket = socket.setNoDelay(true)
    this.#port = port
    socket.on('data', (data) => this.#take(data))
    socket.on('error', (error) => this.#waiting?.reject(error))
    socket.on('close', () => this.#waiting?.reject(new Error('the server closed a connection')))
  }

  /** Connects to a local port. */
  static async open(port: number): Promise<HttpConnection> {
    const socket = connect(port, '127.0.0.1')
    await once(socket, 'connect')
    return new HttpConnection(socket, port)
  }

  /** Sends a GET request without a session. The promise rejects if the status is not 200. */
  async read(path: string): Promise<void> {
    const status = await this.send(`GET ${path} HTTP/1.1\r\nHost: 127.0.0.1:${this.#port}\r\nAccept: */*\r\n\r\n`)
    if (status !== 200) throw new Error(`${status} for ${path}`)
  }

  /** Returns how long a GET request takes, in ms. */
  async timeRead(path: string): Promise<number> {
    const startedMs = performance.now()
    await this.read(path)
    return performance.now() - startedMs
  }

  /**
   * Sends a complete request. The promise resolves to the status when the whole response has arrived. Send only one
   * request at a time on a connection.
   */
  send(request: string): Promise<number> {
    this.#waiting = Promise.withResolvers()
    this.#socket.write(request, 'latin1')
    return this.#waiting.promise
  }

  close(): void {
    this.#waiting = null
    this.#socket.destroy()
  }

  #take(data: Buffer): void {
    if (this.#rest > 0) this.#rest -= data.length
    else {
      this.#head = this.#head.length === 0 ? data : Buffer.concat([this.#head, data])
      const end = this.#head.indexOf(HEAD_END)
      if (end < 0) return
      const head = this.#head.toString('latin1', 0, end)
      const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1]
      if (length === undefined) {
        this.#waiting?.reject(new Error(`an answer without a length:\n${head}`))
        return
      }
      this.#status = Number(head.slice(9, 12))
      this.#rest = Number(length) + end + HEAD_END.length - this.#head.length
      this.#head = NOTHING
    }
    if (this.#rest === 0) this.#waiting?.resolve(this.#status)
  }
}
