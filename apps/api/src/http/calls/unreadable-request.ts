import { STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'

/** Responses by the error code of Node. Any other error means that the bytes are not HTTP. */
const REFUSALS: Readonly<Record<string, { readonly status: number; readonly sentence: string }>> = {
  ERR_HTTP_REQUEST_TIMEOUT: { status: 408, sentence: 'The request took too long to arrive.' },
  HPE_HEADER_OVERFLOW: { status: 431, sentence: 'The URL and headers of the request are too large.' },
}
const NOT_HTTP = { status: 400, sentence: 'Could not read the request.' }

type Refuse = (error: Error & { readonly code?: string }, socket: Duplex) => void

/**
 * Returns a function that responds to a request which cannot be parsed with one plain sentence, and closes the
 * connection.
 */
export function refuseUnreadable(headers: Readonly<Record<string, string>>): Refuse {
  const more = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  return (error, socket) => {
    if (error.code === 'ECONNRESET' || socket.destroyed) return
    const { status, sentence } = REFUSALS[error.code ?? ''] ?? NOT_HTTP
    if (socket.writable) {
      const lines = [
        `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
        'Connection: close',
        'Content-Type: text/plain; charset=utf-8',
        `Content-Length: ${sentence.length}`,
        ...more,
      ]
      socket.write(`${lines.join('\r\n')}\r\n\r\n${sentence}`)
    }
    socket.destroy(error)
  }
}
