import { once } from 'node:events'
import { connect, createServer, type Server, type Socket } from 'node:net'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { TimeoutError, withTimeout } from '../src/bounded-client.ts'

const BOUND_MS = 200

let server: Server
let asking: Socket
let answering: Socket
beforeAll(async () => {
  server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const accepted = once(server, 'connection')
  asking = connect(Object(server.address()).port, '127.0.0.1')
  ;[answering] = await accepted
})
afterAll(() => {
  asking.destroy()
  server.close()
})

/** Blocks the event loop, as if the process was frozen. */
const stall = (ms: number) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms)

it.each([
  ['starts at once', 0],
  ['starts in the last half', BOUND_MS * 0.75],
])('counts an answer that arrived during a stall that %s', async (_title, delayMs) => {
  const answer = withTimeout(
    once(asking, 'data').then(([data]) => String(data)),
    BOUND_MS,
  )
  setTimeout(() => {
    answering.write('pong')
    stall(BOUND_MS * 2)
  }, delayMs)
  expect(await answer).toBe('pong')
})

it('throws if no response comes', async () => {
  await expect(withTimeout(new Promise(() => {}), BOUND_MS)).rejects.toThrow(TimeoutError)
  await expect(withTimeout(new Promise(() => {}), BOUND_MS)).rejects.toThrow(`not ready within ${BOUND_MS} ms`)
})

it('settles like the work', async () => {
  expect(await withTimeout(Promise.resolve(1), BOUND_MS)).toBe(1)
  await expect(withTimeout(Promise.reject(new RangeError('failed')), BOUND_MS)).rejects.toThrow(RangeError)
})
