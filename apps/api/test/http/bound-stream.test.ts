import { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import Fastify from 'fastify'
import { expect, it } from 'vitest'
import { boundStream } from '../../src/http/files/download-slots.ts'

it('a download waits for slow rows, over a socket and injected', async () => {
  const server = Fastify()
  server.decorate('liveSockets', { hold: () => () => {} } as never)
  server.get('/rows', (_, reply) => {
    const stream = Readable.from(writeSlowly())
    boundStream(stream, reply, { wasFound: false, stallMaxMs: 20 })
    return reply.send(stream)
  })
  const address = await server.listen({ host: '127.0.0.1', port: 0 })
  expect((await server.inject('/rows')).body).toBe('one two')
  expect(await (await fetch(`${address}/rows`)).text()).toBe('one two')
  await server.close()
})

async function* writeSlowly(): AsyncGenerator<string> {
  await sleep(100)
  yield 'one '
  await sleep(100)
  yield 'two'
}
