import { createServer } from 'node:http'
import { WebSocketServer } from 'ws'
import { timeSpan } from '../fanout/event-times.ts'

/**
 * The minimal server with which the suite `fanout` compares Papermoon. For each POST, this server sends one message
 * with the current time to every socket and event stream.
 */
let message = Buffer.from('')
let span = { from: 0, until: 0 }
const streams = new Set<{ write(bytes: Buffer): unknown }>()

const server = createServer((request, response) => {
  if (request.method === 'GET') {
    response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' }).flushHeaders()
    streams.add(response)
    response.once('close', () => streams.delete(response))
    return
  }
  request.resume().once('end', () => {
    message.write(new Date().toISOString(), span.from, 'latin1')
    // Copy the message, because bytes that wait to be sent must not change. Send bytes, because Node would encode a
    // string for each socket.
    const bytes = Buffer.from(message)
    for (const socket of sockets.clients) socket.send(bytes, { binary: false })
    for (const stream of streams) stream.write(bytes)
    response.setHeader('content-length', 2).end('ok')
  })
})
// Keep idle connections open, because a load may have to wait for its listeners.
server.keepAliveTimeout = 0
const sockets = new WebSocketServer({ server, perMessageDeflate: false })

process.on('message', (order: { readonly message: string }) => {
  message = Buffer.from(order.message)
  span = timeSpan(message)
  process.send?.('taken')
})
process.on('disconnect', () => process.exit(0))

server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  process.stdout.write(`Bare events are at http://localhost:${typeof address === 'object' ? address?.port : 0}\n`)
})
