import { once } from 'node:events'
import { WebSocket } from 'ws'

/** Timeout of a call, enough for a busy page. */
const ANSWER_MAX_MS = 30_000

interface Waiting {
  resolve(result: unknown): void
  reject(error: Error): void
}

/** A connection to one page by the browser's debugging protocol. */
export class DebugConnection {
  readonly #socket: WebSocket
  readonly #waiting = new Map<number, Waiting>()
  #calls = 0

  private constructor(socket: WebSocket) {
    this.#socket = socket
    socket.on('message', (data) => this.#take(JSON.parse(String(data))))
    socket.on('close', () => {
      for (const { reject } of this.#waiting.values()) reject(new Error('the browser is gone'))
    })
  }

  /** Opens an empty page in the browser listening on `port`. */
  static async open(port: number): Promise<DebugConnection> {
    const opened = await fetch(`http://127.0.0.1:${port}/json/new?about:blank`, { method: 'PUT' })
    const { webSocketDebuggerUrl } = (await opened.json()) as { webSocketDebuggerUrl: string }
    const socket = new WebSocket(webSocketDebuggerUrl)
    await once(socket, 'open')
    return new DebugConnection(socket)
  }

  /** Calls a method of the protocol. Rejects if the browser refuses it or does not answer in time. */
  async send<T>(method: string, params: object = {}): Promise<T> {
    const id = ++this.#calls
    const { promise, resolve, reject } = Promise.withResolvers<unknown>()
    this.#waiting.set(id, { resolve, reject })
    this.#socket.send(JSON.stringify({ id, method, params }))
    const timer = setTimeout(() => reject(new Error(`the browser did not answer ${method}`)), ANSWER_MAX_MS)
    return (await promise.finally(() => {
      clearTimeout(timer)
      this.#waiting.delete(id)
    })) as T
  }

  #take(message: { id?: number; result?: unknown; error?: { message: string } }): void {
    const waiting = message.id === undefined ? undefined : this.#waiting.get(message.id)
    if (message.error === undefined) waiting?.resolve(message.result)
    else waiting?.reject(new Error(message.error.message))
  }
}
