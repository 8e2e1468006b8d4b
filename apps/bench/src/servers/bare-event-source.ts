import { createServer, type ServerResponse } from 'node:http'
import { timeSpan } from '../fanout/event-times.ts'
import type { BareMessage } from './bare-socket.ts'

let message = Buffer.from('')
let span = { from: 0, until: 0 }
const listeners = new Set<ServerResponse>()

/** Writes the same event to every listener for each POST, with the current time inserted. */
const server = createServer((request, response) => {
  if (request.method === 'GET') {
    response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' }).flushHeaders()
    listeners.add(response)
    response.once('close', () => listeners.delete(response))
    return
  }
  request.resume().once('end', () => {
    message.write(new Date().toISOString(), span.from, 'latin1')
    // A copy, since queued bytes must not change.
    const bytes = Buffer.from(message)
    for (const listener of listeners) listener.write(bytes)
    response.setHeader('content-length', 2).end('ok')
  })
})
// Keeps connections of a load that waits for its listeners.
server.keepAliveTimeout = 0

process.on('message', (order: BareMessage | 'gc') => {
  // Requested when memory is measured.
  if (order === 'gc') return
  message = Buffer.from(order.message)
  span = timeSpan(message)
  process.send?.('taken')
})
process.on('disconnect', () => process.exit(0))

server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  process.stdout.write(
    `A bare event source is at http://localhost:${typeof address === 'object' ? address?.port : 0}\n`,
  )
})
