import type { MarketEvent } from '@papermoon/engine'
import { Redis, type RedisOptions } from 'ioredis'
import type { Logger } from 'pino'

const CHANNEL = 'papermoon:events'
/** Most milliseconds between two tries to reach a Redis that is away. */
const RETRY_MAX_MS = 2_000

/** Carries committed events to the other nodes of one database. */
export interface RedisRelay {
  /** Sends events on; never waits, never throws. What is lost here, the other nodes' journal poll finds. */
  publish(events: readonly MarketEvent[]): void
  close(): Promise<void>
}

/**
 * Connects this node with the others over Redis. Redis only makes the others hear sooner than their next poll: it may come
 * and go, and nothing is queued for it while it is away.
 */
export function startRedisRelay(parts: {
  readonly url: string
  readonly log: Logger
  receive(events: readonly MarketEvent[]): void
}): RedisRelay {
  const { log } = parts
  const options: RedisOptions = {
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    retryStrategy: (attempt) => Math.min(100 * attempt, RETRY_MAX_MS),
  }
  const sender = new Redis(parts.url, options)
  const receiver = new Redis(parts.url, { ...options, autoResubscribe: false })
  for (const redis of [sender, receiver]) redis.on('error', (error) => log.debug({ err: error }, 'Redis is away'))
  // Subscribed again by ourselves at every connection, so that a failure to do so is seen.
  receiver.on('ready', () => {
    receiver.subscribe(CHANNEL).catch((error: unknown) => log.warn({ err: error }, 'could not listen to other nodes'))
  })
  receiver.on('message', (_channel, text) => receive(text, parts))
  return {
    publish: (events) => {
      if (events.length === 0 || sender.status !== 'ready') return
      sender.publish(CHANNEL, JSON.stringify(events)).catch((error: unknown) => {
        log.debug({ err: error }, 'events did not reach the other nodes')
      })
    },
    close: async () => {
      sender.disconnect()
      receiver.disconnect()
    },
  }
}

function receive(text: string, { log, receive }: { log: Logger; receive(events: readonly MarketEvent[]): void }): void {
  try {
    receive(JSON.parse(text) as MarketEvent[])
  } catch (error) {
    log.warn({ err: error }, 'another node sent what is no list of events')
  }
}
