import { z } from 'zod'
import { fairId, tokenId } from './ids.ts'
import { decimal, player, playerFields, tokenNames } from './shapes.ts'

const exact = decimal.describe('An exact decimal number as text.')
const time = z.iso.datetime().describe('ISO 8601.')

/** A trade as every list, page and event shows it. */
export const trade = z
  .object({
    id: z.int(),
    tokenId,
    /** The token's own sequence number: gapless, in the order of commits. */
    seq: z.int(),
    side: z.enum(['buy', 'sell']),
    solAmount: exact.describe('Buy: SOL paid, fee included. Sell: SOL received, after the fee.'),
    fee: exact.describe('SOL.'),
    tokenAmount: exact,
    price: exact.describe('Average price of the trade in SOL.'),
    spotPrice: exact.describe('Spot price after the trade in SOL.'),
    createdAt: time,
    ...playerFields,
  })
  .meta({ id: 'Trade' })
export type Trade = z.output<typeof trade>

/** A pool right after the event. */
export const poolState = z
  .object({
    solReserve: exact.describe('Virtual plus real SOL.'),
    tokenReserve: exact,
    realSol: exact.describe('The liquidity: SOL that traders put in.'),
  })
  .meta({ id: 'Pool' })

export type PoolState = z.output<typeof poolState>

export const tradeEvent = z
  .object({
    type: z.literal('trade'),
    tokenId,
    seq: z.int(),
    trade,
    pool: poolState,
    currentPrice: exact,
    marketCap: exact.describe('SOL.'),
    volume: exact.describe(
      'SOL of this trade with its fee: of a buy what was paid, of a sale what was received and the fee.',
    ),
    holding: exact.describe('Tokens the trader holds after the trade.'),
  })
  .meta({ id: 'TradeEvent' })
export type TradeEvent = z.output<typeof tradeEvent>

/** A creator drained a pool and closed the token permanently. */
export const rugPullEvent = z
  .object({
    type: z.literal('rug_pull'),
    tokenId,
    seq: z.int(),
    ...playerFields,
    amount: exact.describe('SOL drained.'),
    createdAt: time,
  })
  .meta({ id: 'RugPullEvent' })
export type RugPullEvent = z.output<typeof rugPullEvent>

/** A token was launched; `seq` is 0, before any trade. */
export const tokenLaunchedEvent = z
  .object({
    type: z.literal('token_launched'),
    tokenId,
    seq: z.literal(0),
    ...tokenNames,
    creator: z.object(player),
    createdAt: time,
  })
  .meta({ id: 'TokenLaunchedEvent' })
export type TokenLaunchedEvent = z.output<typeof tokenLaunchedEvent>

/** The end of a seal that is for ever. */
export const FOREVER = '9999-12-31T23:59:59.999Z'

/** What a token's creator has sealed. */
export const seal = z
  .object({
    liquidityUntil: time
      .nullable()
      .describe(`Before then the creator cannot rug the token; ${FOREVER}: never. It may have passed.`),
    bagUntil: time
      .nullable()
      .describe('Before then the creator keeps at least bagTokens; null where the seal is of the liquidity alone.'),
    bagTokens: exact.describe('Tokens of the creator that are sealed until bagUntil.'),
  })
  .meta({ id: 'Seal' })
export type Seal = z.output<typeof seal>

/** Of a token in a list. */
export const sealedUntil = time.nullable().describe('Its creator cannot rug it until then; null: never sealed.')

/** How long a creator seals a token, from that moment on. */
export const sealTerm = z.enum(['hour', 'day', 'week', 'ever']).describe('From that moment on.')

/** A creator sealed a token or made its seal longer, or the seal has ended. It has no sequence number of its own. */
export const sealEvent = z
  .object({
    type: z.literal('seal'),
    tokenId,
    kind: z.enum(['sealed', 'renewed', 'expired']),
    number: z.int().describe('Number of the token’s seal, from 1; an end has that of the seal that ended.'),
    seq: z.int().describe('Number of the token’s last trade before it was sealed; 0 for none.'),
    ...playerFields,
    seal,
    createdAt: time,
  })
  .meta({ id: 'SealEvent' })
export type SealEvent = z.output<typeof sealEvent>

/** The events of a token's journal, which its sequence numbers count. */
export const tokenEvent = z
  .discriminatedUnion('type', [tokenLaunchedEvent, tradeEvent, rugPullEvent])
  .meta({ id: 'MarketEvent' })

/** All events of the market, as subscribers get them; those of seals only if they ask for them. */
export const marketEvent = z
  .discriminatedUnion('type', [tokenLaunchedEvent, tradeEvent, rugPullEvent, sealEvent])
  .meta({ id: 'StreamEvent' })
export type MarketEvent = z.output<typeof marketEvent>

/** A fair began or ended. `fairId` and `moment` name it: nothing of a fair comes after its end but its results. */
export const fairEvent = z
  .object({
    type: z.literal('fair'),
    moment: z
      .enum(['start', 'end', 'settled', 'void'])
      .describe(
        'start: trading opened. end: the bell fell; every trade came before. settled: it has results. void: it does not count.',
      ),
    fairId,
    name: z.string(),
    note: z.string().nullable().describe('Why it began late, or does not count.'),
    podium: z
      .array(z.object({ place: z.int(), ...playerFields, score: exact }))
      .describe('Of settled: the first three.'),
    createdAt: time,
  })
  .meta({ id: 'FairEvent' })
export type FairEvent = z.output<typeof fairEvent>

/** What listeners of streams may get. */
export const streamEvent = z.union([marketEvent, fairEvent])
export type StreamEvent = z.output<typeof streamEvent>

/** The fair of an event that may be of the fairground. */
export const ofFair = { fairId: fairId.optional().describe('The fair of the token; absent in the fairground.') }

export interface TokenNames {
  readonly name: string
  readonly symbol: string
  readonly emoji: string
}

/** Events of the market with their token's name, symbol and emoji, as the event stream and webhooks send them. */
export const namedEvents = {
  launch: tokenLaunchedEvent,
  trade: tradeEvent.extend(tokenNames),
  rug: rugPullEvent.extend(tokenNames),
  seal: sealEvent.extend(tokenNames),
} as const

type EventType = MarketEvent['type']
/** An event with the names; a launch has them anyway. */
export type NamedEvent<Type extends EventType = EventType> = Extract<MarketEvent, { type: Type }> & TokenNames
