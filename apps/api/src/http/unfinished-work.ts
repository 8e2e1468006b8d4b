import { promisify } from 'node:util'
import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import type { App } from '../context.ts'

/** Counts of the work that is unfinished when a server is about to stop. */
interface UnfinishedWork {
  readonly orders: number
  /** Number of requests that are still being received or handled. */
  readonly requests: number
  readonly sockets: number
  readonly eventStreams: number
}

/** Logs the unfinished work when the time for finishing it is over. Closes idle connections first. */
export async function logUnfinishedWork(
  { app, fastify, countOrders }: { readonly app: App; readonly fastify: FastifyInstance; countOrders(): number },
  log: Logger,
): Promise<void> {
  const left = await countUnfinishedWork({ app, fastify, countOrders })
  const { orders, requests, sockets, eventStreams } = left
  if (orders + requests + sockets + eventStreams === 0) return
  // Warn only about orders and requests, because clients must repeat them. Pages and programs open their sockets and
  // streams again on another node.
  const level = orders + requests > 0 ? 'warn' : 'info'
  log[level](left, 'the seconds to drain are over: what is left is ended')
}

async function countUnfinishedWork({
  app,
  fastify,
  countOrders,
}: Parameters<typeof logUnfinishedWork>[0]): Promise<UnfinishedWork> {
  const { server } = fastify
  server.closeIdleConnections()
  // Wait, because a closed connection is counted until the end of this turn of the event loop.
  for (let turn = 0; turn < 2; turn++) await new Promise(setImmediate)
  const connections = await promisify(server.getConnections.bind(server))()
  const sockets = fastify.liveSockets.open
  const eventStreams = (await app.live.streamMetrics.listeners.get()).values[0]?.value ?? 0
  return { orders: countOrders(), requests: Math.max(0, connections - sockets - eventStreams), sockets, eventStreams }
}
