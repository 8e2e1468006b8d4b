import type { AppOutputs } from '@papermoon/contract/router'

/** An item in the market feed: an event with the cursor from which to resume. */
type Tracked = AppOutputs['live']['market'] extends AsyncIterable<infer Item> ? Item : never

/** One event in the market feed. A fair's events arrive only if the subscription names that fair. */
export type MarketEvent = Exclude<Tracked extends { data: infer Event } ? Event : never, { type: 'fair' }>

export type TradeEvent = Extract<MarketEvent, { type: 'trade' }>
