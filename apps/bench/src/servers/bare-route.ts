import { fastify } from 'fastify'

/** The baseline of the server benches: one route without plugins that responds to GET and POST `/` from memory. */
const server = fastify()

interface BareAnswer {
  readonly contentType: string
  readonly body: string
}

let contentType = 'text/plain'
// Use a Buffer, which Fastify sends up to ten times faster than a long string, so that the baseline is as fast as
// possible.
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
