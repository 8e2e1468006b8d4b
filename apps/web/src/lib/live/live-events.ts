import type { AppOutputs } from '@papermoon/contract/router'

/** An item of the market feed: an event with the cursor from which to resume. */
type Tracked = AppOutputs['live']['market'] extends AsyncIterable<infer Item> ? Item : never

export type StreamEvent = Tracked extends { data: infer Event } ? Event : never

/** An event of the market feed. Events of a fair arrive only if the subscription names that fair. */
export type MarketEvent = Exclude<StreamEvent, { type: 'fair' }>

export type TradeEvent = Extract<MarketEvent, { type: 'trade' }>
