import { createConnection, type Socket } from 'node:net'

const HEAD_END = '\r\n\r\n'

/** Sockets read one after another, and nobody keeps what was read. */
const scratch = Buffer.alloc(65_536)

interface Where {
  readonly url: string
  readonly localAddress: string
}

/** Connects and gives `onBytes` what arrives, valid only during the call: streams would copy all of it. */
export function connectRaw({ url, localAddress }: Where, onBytes: (bytes: Buffer) => void): Socket {
  const { port, hostname: host } = new URL(url)
  const onread = {
    buffer: scratch,
    callback: (count: number) => {
      onBytes(scratch.subarray(0, count))
      return true
    },
  }
  const socket = createConnection({ port: Number(port), host, localAddress, onread, noDelay: true })
  return socket.on('error', () => {})
}

/** A request as bytes. */
export function toRequest(line: string, headers: Readonly<Record<string, string>>, body = ''): Buffer {
  const fields = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  if (body !== '') fields.push(`content-length: ${Buffer.byteLength(body)}`)
  return Buffer.from(`${[`${line} HTTP/1.1`, ...fields].join('\r\n')}${HEAD_END}${body}`)
}

/** Sends requests over connections that are kept, as many as there are requests at once. */
export class RawConnections {
  readonly #where: Where
  readonly #idle: RawConnection[] = []

  constructor(where: Where) {
    this.#where = where
  }

  /** The status of the answer; null where the connection was cut off. */
  async ask(request: Buffer): Promise<number | null> {
    const connection = this.#takeIdle() ?? new RawConnection(this.#where)
    const status = await connection.ask(request)
    if (connection.isOpen) this.#idle.push(connection)
    return status
  }

  #takeIdle(): RawConnection | undefined {
    let connection = this.#idle.pop()
    while (connection?.isOpen === false) connection = this.#idle.pop()
    return connection
  }
}

/** One request at a time. Of an answer, only status and length are read. */
class RawConnection {
  readonly #socket: Socket
  #head = ''
  /** Bytes of the body that are still to come; null while the head does. */
  #left: number | null = null
  #answer: ((status: number | null) => void) | null = null

  constructor(where: Where) {
    this.#socket = connectRaw(where, (bytes) => this.#take(bytes))
    this.#socket.once('close', () => this.#finish(null))
  }

  get isOpen(): boolean {
    return this.#socket.writable
  }

  ask(request: Buffer): Promise<number | null> {
    this.#head = ''
    this.#left = null
    return new Promise((resolve) => {
      this.#answer = resolve
      this.#socket.write(request)
    })
  }

  #take(bytes: Buffer): void {
    if (this.#left === null) this.#takeHead(bytes)
    else this.#left -= bytes.length
    if (this.#left === null || this.#left > 0) return
    if (/^connection: close/im.test(this.#head)) this.#socket.destroy()
    this.#finish(Number(this.#head.slice('HTTP/1.1 '.length, 'HTTP/1.1 200'.length)))
  }

  #takeHead(bytes: Buffer): void {
    this.#head += bytes.toString('latin1')
    const end = this.#head.indexOf(HEAD_END)
    if (end === -1) return
    const come = this.#head.length - end - HEAD_END.length
    this.#left = Number(/^content-length: (\d+)/im.exec(this.#head)?.[1] ?? 0) - come
  }

  #finish(status: number | null): void {
    this.#answer?.(status)
    this.#answer = null
  }
}
