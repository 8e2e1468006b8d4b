import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import { HSTS } from '../security/security-headers.ts'

/** By Node's error code; any other error means that the bytes are not HTTP. */
const REFUSALS: Readonly<Record<string, { readonly status: number; readonly sentence: string }>> = {
  ERR_HTTP_REQUEST_TIMEOUT: { status: 408, sentence: 'The request took too long to come.' },
  HPE_HEADER_OVERFLOW: { status: 431, sentence: 'The address and headers of the request are too large.' },
}
const NOT_HTTP = { status: 400, sentence: 'The request cannot be read.' }

type Refuse = (error: Error & { readonly code?: string }, socket: Socket) => void

/** Answers bytes that Node could not parse as a request with one plain sentence, and closes the connection. */
export function refuseUnreadable(isTls: boolean): Refuse {
  return (error, socket) => refuse(error, socket, isTls ? [`Strict-Transport-Security: ${HSTS}`] : [])
}

function refuse(error: Error & { readonly code?: string }, socket: Socket, more: readonly string[]): void {
  if (error.code === 'ECONNRESET' || socket.destroyed) return
  const { status, sentence } = REFUSALS[error.code ?? ''] ?? NOT_HTTP
  if (socket.writable) {
    const headers = [
      `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
      'Connection: close',
      'Content-Type: text/plain; charset=utf-8',
      `Content-Length: ${sentence.length}`,
      'X-Content-Type-Options: nosniff',
      ...more,
    ]
    socket.write(`${headers.join('\r\n')}\r\n\r\n${sentence}`)
  }
  socket.destroy(error)
}
