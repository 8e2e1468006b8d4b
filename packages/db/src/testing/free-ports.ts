import { createServer } from 'node:net'

/** Below those that systems hand out to outgoing connections, so that a port stays free while its program is down. */
const FROM = 15_000
const TO = 30_000

/** So many ports in a row that nobody listens on. */
export async function findFreePorts(count: number): Promise<number> {
  for (let tries = 0; tries < 100; tries++) {
    const first = FROM + Math.floor(Math.random() * (TO - FROM - count))
    const ports = Array.from({ length: count }, (_, i) => first + i)
    if ((await Promise.all(ports.map(isFree))).every(Boolean)) return first
  }
  throw new Error(`there are no ${count} free ports in a row`)
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer()
  return await new Promise((resolve) => {
    server.once('error', () => resolve(false))
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)))
  })
}
