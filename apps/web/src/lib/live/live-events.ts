import type { AppOutputs } from '@papermoon/contract/router'

/** The market feed yields events with the cursor to resume from. */
type Tracked = AppOutputs['live']['market'] extends AsyncIterable<infer Item> ? Item : never

/** One event of the market feed. Events of a fair come only if the subscription names it. */
export type MarketEvent = Exclude<Tracked extends { data: infer Event } ? Event : never, { type: 'fair' }>

export type TradeEvent = Extract<MarketEvent, { type: 'trade' }>
