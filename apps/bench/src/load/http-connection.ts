import { connect, type Socket } from 'node:net'

const HEAD_END = '\r\n\r\n'
/** The only answers without a body and its length. */
const NOT_MODIFIED = 304
const NOTHING = Buffer.alloc(0)

export interface Answer {
  readonly status: number
  readonly bytes: number
}

/**
 * A keep-alive HTTP/1.1 connection that sends one raw request at a time and skips bodies by their `content-length`. It costs a
 * fraction of any HTTP client, so that the bench measures the server and not the load.
 */
export class HttpConnection {
  readonly #socket: Socket
  #head: Buffer = NOTHING
  #status = 0
  #length = 0
  /** Bytes of the body not received yet. */
  #rest = 0
  #waiting: { resolve(answer: Answer): void; reject(error: Error): void } | null = null

  private constructor(socket: Socket) {
    this.#socket = socket
    socket.setNoDelay(true)
    socket.on('data', (data) => this.#take(data))
    socket.on('error', (error) => this.#fail(error))
    socket.on('close', () => this.#fail(new Error('the server closed a connection')))
  }

  /** Connects to a local port. */
  static open(port: number): Promise<HttpConnection> {
    return new Promise((resolve, reject) => {
      const socket = connect(port, '127.0.0.1', () => {
        socket.off('error', reject)
        resolve(new HttpConnection(socket))
      })
      socket.once('error', reject)
    })
  }

  /** Sends a complete request; resolves with the last byte of the answer. One at a time. */
  send(request: Buffer): Promise<Answer> {
    return new Promise((resolve, reject) => {
      this.#waiting = { resolve, reject }
      this.#socket.write(request)
    })
  }

  close(): void {
    this.#waiting = null
    this.#socket.destroy()
  }

  #take(data: Buffer): void {
    if (this.#rest === 0) {
      this.#head = this.#head.length === 0 ? data : Buffer.concat([this.#head, data])
      const end = this.#head.indexOf(HEAD_END)
      if (end < 0) return
      const head = this.#head.toString('latin1', 0, end)
      const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1]
      this.#status = Number(head.slice(9, 12))
      if (length === undefined && this.#status !== NOT_MODIFIED) {
        this.#fail(new Error(`an answer without a length:\n${head}`))
        return
      }
      this.#length = Number(length ?? 0)
      this.#rest = this.#length + end + HEAD_END.length - this.#head.length
      this.#head = NOTHING
    } else {
      this.#rest -= data.length
    }
    if (this.#rest === 0) this.#finish()
  }

  #finish(): void {
    const waiting = this.#waiting
    this.#waiting = null
    waiting?.resolve({ status: this.#status, bytes: this.#length })
  }

  #fail(error: Error): void {
    const waiting = this.#waiting
    this.#waiting = null
    waiting?.reject(error)
  }
}
