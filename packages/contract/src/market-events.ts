import { z } from 'zod'
import { fairId, tokenId } from './ids.ts'
import { decimal, player, playerFields, tokenNames } from './shapes.ts'

const exact = decimal.describe('Exact decimal number as text.')
const time = z.iso.datetime().describe('ISO 8601.')

/** A trade in lists, pages and events. */
export const trade = z
  .object({
    id: z.int(),
    tokenId,
    /** Sequence number of the token's event. The numbers have no gaps and follow the order of commits. */
    seq: z.int(),
    side: z.enum(['buy', 'sell']),
    solAmount: exact.describe('SOL that a buyer paid with the fee, or a seller received after the fee.'),
    fee: exact.describe('SOL.'),
    tokenAmount: exact,
    price: exact.describe('Average price of the trade, in SOL per token.'),
    spotPrice: exact.describe('Spot price after the trade, in SOL per token.'),
    createdAt: time,
    ...playerFields,
  })
  .meta({ id: 'Trade' })
export type Trade = z.output<typeof trade>

/** A pool's reserves right after the event. */
export const poolState = z
  .object({
    solReserve: exact.describe('Virtual plus real SOL in the pool.'),
    tokenReserve: exact,
    realSol: exact.describe('Liquidity, the SOL that traders put in.'),
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
    volume: exact.describe('SOL traded: paid by the buyer, or received by the seller plus the fee.'),
    holding: exact.describe('Tokens that the trader holds after the trade.'),
  })
  .meta({ id: 'TradeEvent' })
export type TradeEvent = z.output<typeof tradeEvent>

/** A rug pull. The creator took the SOL from the pool and closed it for good. */
export const rugPullEvent = z
  .object({
    type: z.literal('rug_pull'),
    tokenId,
    seq: z.int(),
    ...playerFields,
    amount: exact.describe('SOL that the creator took.'),
    createdAt: time,
  })
  .meta({ id: 'RugPullEvent' })
export type RugPullEvent = z.output<typeof rugPullEvent>

/** A launched token. `seq` is 0. */
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

/** The end time of a seal that lasts for ever. */
export const FOREVER = '9999-12-31T23:59:59.999Z'

/** A creator's seal on a token. */
export const seal = z
  .object({
    liquidityUntil: time
      .nullable()
      .describe(`Time until which the creator cannot rug the token. ${FOREVER} means for ever.`),
    bagUntil: time
      .nullable()
      .describe('Time until which the creator must hold at least bagTokens, or null if only the liquidity is sealed.'),
    bagTokens: exact.describe('Number of the creator’s tokens locked until bagUntil.'),
  })
  .meta({ id: 'Seal' })
export type Seal = z.output<typeof seal>

/** The end time of a token's seal, for lists. */
export const sealedUntil = time
  .nullable()
  .describe('The creator cannot rug the token before this time. Null if it was never sealed.')

/** How long a seal lasts from its start. */
export const sealTerm = z.enum(['hour', 'day', 'week', 'ever']).describe('How long the seal lasts from its start.')

/** A change to a seal, without a sequence number: a creator sealed a token or extended the seal, or the seal ended. */
export const sealEvent = z
  .object({
    type: z.literal('seal'),
    tokenId,
    kind: z.enum(['sealed', 'renewed', 'expired']),
    number: z.int().describe('Number of the token’s seal, from 1. For an end, the seal that ended.'),
    seq: z.int().describe('Sequence number of the token’s last trade before the seal; 0 if none.'),
    ...playerFields,
    seal,
    createdAt: time,
  })
  .meta({ id: 'SealEvent' })
export type SealEvent = z.output<typeof sealEvent>

/** Events in a token's journal, each with a sequence number. */
export const tokenEvent = z
  .discriminatedUnion('type', [tokenLaunchedEvent, tradeEvent, rugPullEvent])
  .meta({ id: 'MarketEvent' })

/** All events of the market. Subscribers get seal events only if they request them. */
export const marketEvent = z
  .discriminatedUnion('type', [tokenLaunchedEvent, tradeEvent, rugPullEvent, sealEvent])
  .meta({ id: 'StreamEvent' })
export type MarketEvent = z.output<typeof marketEvent>

/** A fair began, ended or has results. The fields `fairId` and `moment` identify the event. */
export const fairEvent = z
  .object({
    type: z.literal('fair'),
    moment: z
      .enum(['start', 'end', 'settled', 'void'])
      .describe(
        'start: trading opened. end: trading ended; all trades came before. settled: results are available. void: it does not count.',
      ),
    fairId,
    name: z.string(),
    note: z.string().nullable().describe('Why it began late or does not count.'),
    podium: z
      .array(z.object({ place: z.int(), ...playerFields, score: exact }))
      .describe('The first three ranked players; only with settled.'),
    createdAt: time,
  })
  .meta({ id: 'FairEvent' })
export type FairEvent = z.output<typeof fairEvent>

/** All events that streams can send. */
export const streamEvent = z.union([marketEvent, fairEvent])
export type StreamEvent = z.output<typeof streamEvent>

/** The fair of an event, or undefined in the fairground. */
export const ofFair = {
  fairId: fairId.optional().describe('Id of the token’s fair, absent for tokens outside fairs.'),
}

export interface TokenNames {
  readonly name: string
  readonly symbol: string
  readonly emoji: string
}

/** Market events with the token's name, symbol and emoji. Event streams and webhooks send them in this form. */
export const namedEvents = {
  launch: tokenLaunchedEvent,
  trade: tradeEvent.extend(tokenNames),
  rug: rugPullEvent.extend(tokenNames),
  seal: sealEvent.extend(tokenNames),
} as const

type EventType = MarketEvent['type']
/** An event with the token's name, symbol and emoji. A launch always has these fields. */
export type NamedEvent<Type extends EventType = EventType> = Extract<MarketEvent, { type: Type }> & TokenNames
