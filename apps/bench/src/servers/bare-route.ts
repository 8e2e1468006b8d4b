import { fastify } from 'fastify'

/** The baseline of the server benches: one route without plugins that responds to GET and POST `/` from memory. */
const server = fastify()

/** The responses: these bodies in turn, all with the same content type. */
interface BareAnswers {
  readonly contentType: string
  readonly bodies: readonly string[]
}

let contentType = 'text/plain'
// Use Buffers, which Fastify sends up to ten times faster than long strings, so that the baseline is as fast as
// possible.
let bodies: readonly Buffer[] = [Buffer.from('')]
let next = 0

server.route({
  method: ['GET', 'POST'],
  url: '/',
  handler: (_request, reply) => {
    const body = bodies[next++ % bodies.length]
    return reply.type(contentType).send(body)
  },
})

process.on('message', (message: BareAnswers) => {
  contentType = message.contentType
  bodies = message.bodies.map((body) => Buffer.from(body))
  process.send?.('taken')
})
process.on('disconnect', () => process.exit(0))

await server.listen({ port: 0, host: '127.0.0.1' })
const [address] = server.addresses()
process.stdout.write(`A bare route is at http://localhost:${typeof address === 'object' ? address.port : 0}\n`)
