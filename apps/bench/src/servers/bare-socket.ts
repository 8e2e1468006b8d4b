import { createServer } from 'node:http'
import { WebSocketServer } from 'ws'
import { timeSpan } from '../fanout/event-times.ts'

/** Sends this message to every socket for each POST, with the current time inserted. */
export interface BareMessage {
  readonly message: string
}

let message = Buffer.from('')
let span = { from: 0, until: 0 }

const server = createServer((request, response) => {
  request.resume().once('end', () => {
    message.write(new Date().toISOString(), span.from, 'latin1')
    // A copy, since queued bytes must not change; bytes, since a string would be encoded for each socket.
    const bytes = Buffer.from(message)
    for (const socket of sockets.clients) socket.send(bytes, { binary: false })
    response.setHeader('content-length', 2).end('ok')
  })
})
// Keeps connections of a load that waits for its listeners.
server.keepAliveTimeout = 0
const sockets = new WebSocketServer({ server, perMessageDeflate: false })

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
  process.stdout.write(`A bare socket is at http://localhost:${typeof address === 'object' ? address?.port : 0}\n`)
})
