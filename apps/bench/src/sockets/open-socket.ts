import { once } from 'node:events'
import { WebSocket } from 'ws'

export interface SocketTarget {
  readonly port: number
  readonly path: string
  /** A player's `Cookie` header. By default, there is no cookie, and the caller is a guest. */
  readonly cookie?: string
}

export interface SocketListener {
  /** Called with the bytes of a text message. */
  text(payload: Buffer): void
  /** Called when the connection ends, unless this side closed it. */
  lost(reason: string): void
}

export interface OpenSocket {
  send(text: string): void
  close(): void
}

/** Opens a WebSocket to a local port. The promise rejects if the server rejects the upgrade. */
export async function openSocket({ port, path, cookie }: SocketTarget, listener: SocketListener): Promise<OpenSocket> {
  const socket = new WebSocket(`ws://127.0.0.1:${port}${path}`, {
    headers: cookie === undefined ? {} : { cookie },
    perMessageDeflate: false,
    skipUTF8Validation: true,
  })
  let isClosed = false
  socket.on('message', (data) => listener.text(data as Buffer))
  await once(socket, 'open')
  socket.on('error', ({ message }) => listener.lost(message))
  socket.on('close', (code, reason) => {
    if (!isClosed) listener.lost(`the server closed a socket: ${code} ${reason}`)
  })
  return {
    send: (text) => socket.send(text),
    close: () => {
      isClosed = true
      socket.terminate()
    },
  }
}
