import type { MarketEvent } from '@papermoon/engine'
import { Redis, type RedisOptions } from 'ioredis'
import type { Logger } from 'pino'

const CHANNEL = 'papermoon:events'
/** Max delay between two connection attempts while Redis is down. */
const RETRY_MAX_MS = 2_000

/** Sends committed events to the other nodes of the same database. */
export interface RedisRelay {
  /** Never waits, never throws. The other nodes' journal poll finds events that are lost here. */
  publish(events: readonly MarketEvent[]): void
  close(): Promise<void>
}

/**
 * Connects this node with the others over Redis. Redis only delivers events sooner than the next journal poll would, so it
 * may be down at any time and nothing is queued for it.
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
  // Subscribe on every connection rather than by autoResubscribe, whose failures are not reported.
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
    log.warn({ err: error }, 'another node sent a malformed event list')
  }
}
