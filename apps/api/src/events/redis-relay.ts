import { withTimeout } from '@papermoon/db'
import { type MarketEvent, marketEvent } from '@papermoon/engine'
import { Redis, type RedisOptions } from 'ioredis'
import type { Logger } from 'pino'
import { z } from 'zod'
import type { Published } from './live-feed.ts'
import type { CursorMarket } from './stream/event-text.ts'

/** The channel is not called `papermoon:events`, because earlier versions listen to that channel. */
const CHANNEL = 'papermoon:positions'
/** Max time between two connection attempts in ms. */
const RETRY_MAX_MS = 2_000
const ANSWER_MAX_MS = 2_000

const DECIMAL = /^-?\d+(\.\d+)?(e[+-]?\d+)?$/
/** Validate messages, because other programs can write to the channel too. */
const relayed = z.object({
  market: z.enum(['1', '2']),
  after: z.int(),
  through: z.int(),
  events: z.array(z.object({ place: z.int(), event: marketEvent.refine(isSound) })).nullable(),
})

/** The events of a transaction, and the market to which they belong. */
export interface Relayed extends Published {
  readonly market: CursorMarket
}

/** Sends committed events to the other nodes of the same database. */
export interface RedisRelay {
  /**
   * This function never waits or throws. If a message is lost, the other nodes find its events by their journal poll.
   */
  publish(published: Relayed): void
  /** Sets the function that receives a market's events from other nodes. */
  onReceived(market: CursorMarket, receive: (published: Relayed) => void): void
  /** Returns whether Redis responds. */
  isUp(): Promise<boolean>
  close(): Promise<void>
}

/**
 * Connects this node with the other nodes through Redis. Redis only delivers events sooner than polling the journal
 * does. Redis may therefore fail at any time, and no message is stored for it.
 */
export function startRedisRelay({ url, log }: { readonly url: string; readonly log: Logger }): RedisRelay {
  const receivers = new Map<CursorMarket, (published: Relayed) => void>()
  const options: RedisOptions = {
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    retryStrategy: (attempt) => Math.min(100 * attempt, RETRY_MAX_MS),
  }
  const sender = new Redis(url, options)
  const receiver = new Redis(url, { ...options, autoResubscribe: false })
  for (const redis of [sender, receiver]) redis.on('error', (error) => log.debug({ err: error }, 'Redis is away'))
  // Subscribe again after every connection, because autoResubscribe does not report failures.
  receiver.on('ready', () => {
    receiver.subscribe(CHANNEL).catch((error: unknown) => log.warn({ err: error }, 'could not listen to other nodes'))
  })
  receiver.on('message', (_channel, text) => {
    try {
      const published = relayed.parse(JSON.parse(text))
      receivers.get(published.market)?.(published)
    } catch (error) {
      log.warn({ err: error }, 'another node sent a malformed event list')
    }
  })
  return {
    publish: (published) => {
      if (sender.status !== 'ready') return
      sender.publish(CHANNEL, JSON.stringify(published)).catch((error: unknown) => {
        log.debug({ err: error }, 'events did not reach the other nodes')
      })
    },
    onReceived: (market, receive) => void receivers.set(market, receive),
    isUp: () =>
      withTimeout(sender.ping(), ANSWER_MAX_MS).then(
        () => true,
        () => false,
      ),
    close: async () => {
      sender.disconnect()
      receiver.disconnect()
    },
  }
}

/** Checks that all number texts are valid and that the trade belongs to the event. */
function isSound(event: MarketEvent): boolean {
  if (event.type === 'token_launched') return true
  if (event.type === 'rug_pull') return DECIMAL.test(event.amount)
  if (event.type === 'seal') return DECIMAL.test(event.seal.bagTokens)
  const { trade, pool, currentPrice, marketCap, volume, holding } = event
  const { solAmount, fee, tokenAmount, price, spotPrice } = trade
  const amounts = [solAmount, fee, tokenAmount, price, spotPrice, currentPrice, marketCap, volume, holding]
  const isOwn = trade.tokenId === event.tokenId && trade.seq === event.seq
  return isOwn && [...amounts, ...Object.values(pool)].every((text) => DECIMAL.test(text))
}
