import { fastify } from 'fastify'

/**
 * The server with which the server benches compare Papermoon: one route without plugins that responds to GET and POST
 * `/` from memory.
 */
const server = fastify()

interface BareAnswer {
  readonly contentType: string
  readonly body: string
}

let contentType = 'text/plain'
// Send a Buffer to make the baseline as fast as possible. Fastify sends a Buffer up to ten times faster than a long
// string.
let body = Buffer.from('')

server.route({ method: ['GET', 'POST'], url: '/', handler: (_request, reply) => reply.type(contentType).send(body) })

process.on('message', (answer: BareAnswer) => {
  contentType = answer.contentType
  body = Buffer.from(answer.body)
  process.send?.('taken')
})
process.on('disconnect', () => process.exit(0))

await server.listen({ port: 0, host: '127.0.0.1' })
const [address] = server.addresses()
process.stdout.write(`A bare route is at http://localhost:${typeof address === 'object' ? address.port : 0}\n`)
