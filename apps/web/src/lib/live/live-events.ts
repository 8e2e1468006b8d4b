import type { AppOutputs } from '@papermoon/api/router'

/** What the market's feed yields: an event and the cursor to resume after it. */
type Tracked = AppOutputs['live']['market'] extends AsyncIterable<infer Item> ? Item : never

/** Something that happened on the market. */
export type MarketEvent = Tracked extends { data: infer Event } ? Event : never

export type TradeEvent = Extract<MarketEvent, { type: 'trade' }>
