import { type MarketEvent, rugPullEvent, tokenLaunchedEvent, tradeEvent } from '@papermoon/engine'
import { z } from 'zod'

/** The token of an event. */
export interface TokenNames {
  readonly name: string
  readonly symbol: string
  readonly emoji: string
}

const names = { name: z.string(), symbol: z.string(), emoji: z.string() }

/** Events of the market with their token's name, symbol and emoji, as the event stream and webhooks send them. */
export const namedEvents = {
  launch: tokenLaunchedEvent,
  trade: tradeEvent.extend(names),
  rug: rugPullEvent.extend(names),
} as const

type EventType = MarketEvent['type']
/** An event with the names; a launch has them anyway. */
export type NamedEvent<Type extends EventType = EventType> = Extract<MarketEvent, { type: Type }> & TokenNames
