import { parseSol } from '@papermoon/amm'
import { z } from 'zod'
import { decimalForms, parseAmount } from './amounts.ts'
import { BUY_TRADE, CREATOR, CURRENT_PRICE, MARKET_CAP, TOKEN_NAMED, TOKEN_NAMES } from './example-market.ts'
import { marketTradesPage } from './history.ts'
import { fairId, tokenId, userId, wholeNumber } from './ids.ts'
import { mutation, query, subscription } from './procedure.ts'
import { decimal, NEXT_PAGE, player, playerFields, time, tokenShown } from './shapes.ts'
import { text } from './text.ts'
import { time as givenTime } from './times.ts'
import { countPageReads, pageLimit, tradeCursor } from './tokens.ts'

export { FAIR_LAUNCHES_MAX, FIRST_FAIR_TOKEN, isFairToken } from './fair-tokens.ts'

export const FAIR_KINDS = ['arena', 'season', 'room', 'cup', 'sandbox'] as const
export type FairKind = (typeof FAIR_KINDS)[number]
export const ENTRANTS_MAX = 500
/** Rooms and cups that a player may host at once. */
export const HOSTED_MAX = 3
const MINUTES_MIN = 5
const ARENA_MINUTES_MAX = 24 * 60
const ROOM_MINUTES_MAX = 30 * 24 * 60
const STAKE_MAX = 10_000
const AHEAD_MAX_MS = 30 * 24 * 3_600_000
export const RANKING_PAGE = 100
export const REPLAYED_MAX = 8

const state = z
  .enum(['lobby', 'open', 'settled', 'void'])
  .describe('lobby: nothing trades yet. settled: ended, with results. void: it does not count.')

const me = z
  .object({
    balance: decimal.nullable().describe('SOL that one has in this fair; null: one has not entered.'),
    hasLeft: z.boolean(),
    isHost: z.boolean(),
    place: z.int().optional().describe('Only after the fair’s end.'),
  })
  .describe('One’s own part in the fair; null: neither in it nor its host.')

export const fair = z
  .object({
    id: fairId,
    kind: z.enum(FAIR_KINDS),
    name: z.string(),
    host: z.object({ id: userId, username: z.string() }).nullable().describe('Null: the house.'),
    state,
    stake: decimal.describe('SOL that each entrant gets once.'),
    lobbyAt: time.describe('First moment to enter.'),
    startsAt: time.describe('When trading opens, or opened.'),
    endsAt: time.describe('Latest moment of the bell.'),
    bellFrom: time.describe('The bell falls between this and endsAt.'),
    bellAt: time.nullable().describe('When the bell fell; null: not yet.'),
    commit: z.string().describe('SHA-256, in hex, of the secret that the bell is drawn from.'),
    secret: z.string().nullable().describe('That secret, in hex, once the fair has ended.'),
    launches: z.enum(['all', 'host', 'nobody']),
    rugs: z.boolean(),
    lateEntry: z.boolean(),
    depth: z.boolean(),
    entrants: z.int(),
    entrantsMax: z.int(),
    bots: z.int().describe('Bots of the house among the entrants.'),
    note: z.string().nullable().describe('Why it began late or without bots, or is void.'),
    winner: z.string().optional().describe('Only after the fair’s end.'),
    me: me.nullable(),
  })
  .meta({ id: 'Fair' })
export type Fair = z.output<typeof fair>

export const fairList = z
  .object({
    upcoming: z.array(fair).describe('In their lobby or before it: the house’s, one’s own, then others, by start.'),
    running: z.array(fair).describe('In the same order, by end.'),
    ended: z.array(fair).describe('The newest first.'),
    nextCursor: z.string().nullable().describe('Of the page of ended fairs after this one.'),
    houseBots: z.boolean().describe('Whether bots of the house could enter a fair.'),
  })
  .meta({ id: 'FairList' })
export type FairList = z.output<typeof fairList>

export const entrant = z
  .object({
    place: z.int().describe('From 1; ranked players first.'),
    ...playerFields,
    standing: decimal.describe('SOL: balance and pool share.'),
    score: decimal.describe(
      'The standing without what any single other player lost to this one beyond a tenth of the stake.',
    ),
    isRanked: z.boolean().describe('Traded the stake in the first two thirds; not suspended.'),
    hasLeft: z.boolean(),
    trades: z.int(),
    medal: z.int().min(1).max(3).nullable().describe('1: gold. Null: none, or the fair runs.'),
  })
  .meta({ id: 'FairEntrant' })
export type FairEntrant = z.output<typeof entrant>

export const ranking = z
  .object({
    fairId,
    asOf: time,
    isFinal: z.boolean().describe('Whether the fair has ended: these are its results.'),
    entrants: z.array(entrant).describe('The best first.'),
    mine: entrant.nullable().describe('One’s own place; null: one has not entered.'),
    total: z.int(),
    sum: z
      .object({ stakes: decimal, fees: decimal, standings: decimal, dust: decimal })
      .describe('stakes − fees = standings + dust, exactly.'),
    nextCursor: z.string().nullable(),
  })
  .meta({ id: 'FairRanking' })
export type FairRanking = z.output<typeof ranking>

export const fairToken = z
  .object({
    ...tokenShown,
    creator: z.object(player),
    currentPrice: decimal,
    marketCap: decimal,
    change: z.string().describe('Percent since the launch.'),
    realSol: decimal.describe('SOL in its pool that holders could sell for.'),
    trades: z.int(),
    isRugged: z.boolean(),
    createdAt: time,
  })
  .meta({ id: 'FairToken' })
export type FairToken = z.output<typeof fairToken>

export const fairBag = z
  .object({
    balance: decimal,
    standing: decimal.describe('Balance and pool share.'),
    cashOut: decimal.describe('Balance, and what selling one’s own bags would bring now.'),
    holdings: z.array(
      z.object({
        token: z.object(tokenShown),
        amount: decimal,
        cost: decimal,
        poolShare: decimal.describe('Real SOL of the pool × this bag ÷ all bags, rounded down.'),
        cashOut: decimal.describe('What selling it would bring now.'),
      }),
    ),
  })
  .meta({ id: 'FairBag' })
export type FairBag = z.output<typeof fairBag>

const storyTrade = z.object({
  token: z.object({ id: tokenId, symbol: z.string(), emoji: z.string() }),
  profit: decimal,
})
export const fairStory = z
  .object({
    best: storyTrade.nullable().describe('The token that one won most with.'),
    worst: storyTrade.nullable().describe('The token that one lost most with.'),
    trades: z.int(),
    ranks: z.array(z.object({ at: time, place: z.int() })).describe('One’s place over time, at most 60 moments.'),
  })
  .meta({ id: 'FairStory' })
export type FairStory = z.output<typeof fairStory>

/** How the first places came to be: 60 moments from the opening to the bell, and what stood when. */
export const fairReplay = z.object({
  times: z.array(time).describe('Evenly from the opening to the bell.'),
  entrants: z
    .array(
      entrant.pick({ userId: true, username: true, isBot: true }).extend({
        moments: z
          .array(entrant.pick({ place: true, score: true }).nullable())
          .describe('One for each time; null: before the entry.'),
      }),
    )
    .describe(`The first ${REPLAYED_MAX} by the results, and oneself.`),
  tokens: z
    .array(
      fairToken.pick({ id: true, symbol: true, emoji: true }).extend({
        prices: z.array(decimal.nullable()).describe('One for each time; null: before the first trade.'),
      }),
    )
    .describe('The three that were traded most.'),
})
export type FairReplay = z.output<typeof fairReplay>

export const fairRecord = z
  .object({
    rating: z.int().nullable().describe('Glicko-2; null: never ranked in an arena.'),
    isProvisional: z.boolean().describe('Fewer than ten ranked arenas.'),
    arenas: z.int().describe('Ranked arenas.'),
    medals: z.object({ gold: z.int(), silver: z.int(), bronze: z.int() }),
    latest: z.array(
      z.object({
        fairId,
        name: z.string(),
        kind: z.enum(FAIR_KINDS),
        endedAt: time,
        place: z.int(),
        medal: z.int().nullable(),
      }),
    ),
  })
  .meta({ id: 'FairRecord' })
export type FairRecord = z.output<typeof fairRecord>

export const invite = z
  .string()
  .regex(/^[A-Za-z0-9_-]{22}$/, 'must be the code of an invite link')
  .describe('The code of a room’s invite link.')

export const byFair = z.object({ id: fairId })
export const fairInput = z.object({ id: fairId, invite: invite.optional() })
export const listInput = z.object({
  cursor: z.string().max(40, 'must be a cursor of this list').optional().describe(NEXT_PAGE),
  limit: wholeNumber(1, 50).default(20),
})
export const rankingInput = z.object({
  id: fairId,
  cursor: z
    .string()
    .regex(/^\d{1,6}$/, 'must be a cursor of this ranking')
    .optional()
    .describe(NEXT_PAGE),
  limit: wholeNumber(1, RANKING_PAGE).default(RANKING_PAGE),
})

export const fairTradesInput = z.object({ id: fairId, limit: pageLimit.default(50), cursor: tradeCursor })

const stake = decimalForms
  .default('100')
  .transform((sent, check) => parseAmount(sent, parseSol, check))
  .refine((amount) => amount === z.NEVER || (amount.gte(1) && amount.lte(STAKE_MAX)), `must be 1 to ${STAKE_MAX} SOL`)
  .describe(`SOL that each entrant gets, 1 to ${STAKE_MAX}; more than 9 decimals are cut.`)

export const createInput = z
  .object({
    kind: z.enum(['room', 'cup', 'sandbox'], { error: 'must be room, cup or sandbox' }),
    name: text('name', 40, 3),
    startsAt: givenTime
      .optional()
      .describe(
        'When trading opens, within 30 days. Left out: when its host says, or after a day; a cup: in a minute.',
      ),
    minutes: wholeNumber(MINUTES_MIN, ROOM_MINUTES_MAX).default(30).describe('How long it trades.'),
    stake,
    launches: z.enum(['all', 'host', 'nobody'], { error: 'must be all, host or nobody' }).default('all'),
    rugs: z.boolean('must be true or false').default(false),
    lateEntry: z.boolean('must be true or false').default(true),
    depth: z.boolean('must be true or false').default(true),
    bots: wholeNumber(0, 10)
      .default(0)
      .describe('Bots of the house that enter. In a room, its host must be a day old.'),
    speed: wholeNumber(1, 60).default(1).describe('Of a sandbox: how fast its bots live.'),
  })
  .superRefine(({ kind, minutes, startsAt, launches, bots, speed }, check) => {
    const report = (path: string, message: string) => check.addIssue({ code: 'custom', path: [path], message })
    if (kind !== 'room' && minutes > ARENA_MINUTES_MAX) report('minutes', `must be at most ${ARENA_MINUTES_MAX}`)
    // A time that was refused is still a text here.
    const aheadMs = startsAt instanceof Date ? startsAt.getTime() - Date.now() : 0
    if (aheadMs > AHEAD_MAX_MS) report('startsAt', 'must be within 30 days')
    if (aheadMs < -60_000) report('startsAt', 'must not be in the past')
    if (speed > 1 && kind !== 'sandbox') report('speed', 'belongs to a sandbox')
    if (bots > 0 && kind === 'cup') report('bots', 'must be 0 in a cup')
    if (launches === 'nobody' && kind === 'sandbox' && bots === 0)
      report('launches', 'must be all or host without bots')
  })
export type CreateFairInput = z.output<typeof createInput>

export const created = z
  .object({ fair, invite: invite.nullable().describe('The code of its link: shown only now. Null: none is needed.') })
  .meta({ id: 'CreatedFair' })
export const updateInput = z.object({
  id: fairId,
  launches: z
    .enum(['all', 'host', 'nobody'], { error: 'must be all, host or nobody' })
    .optional()
    .describe('Pauses launches, or lets them go on.'),
  act: z
    .enum(['start', 'end'], { error: 'must be start or end' })
    .optional()
    .describe('Opens trading now, or ends it now.'),
})
export const removeInput = z.object({ id: fairId, userId })
export const watchEvent = z.object({ fair, ranking }).meta({ id: 'FairNow' })
export type FairNow = z.output<typeof watchEvent>

/** A replay that is not kept reads the fair’s whole journal. */
const REPLAY_READS = 10

const FAIR = {
  id: 12,
  kind: 'arena',
  name: 'Arena of 13:00',
  host: null,
  state: 'open',
  stake: '100',
  lobbyAt: '2026-03-01T12:50:00.000Z',
  startsAt: '2026-03-01T13:00:00.000Z',
  endsAt: '2026-03-01T13:15:00.000Z',
  bellFrom: '2026-03-01T13:14:00.000Z',
  bellAt: null,
  commit: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  secret: null,
  launches: 'all',
  rugs: false,
  lateEntry: true,
  depth: true,
  entrants: 9,
  entrantsMax: ENTRANTS_MAX,
  bots: 6,
  note: null,
  me: { balance: '99', hasLeft: false, isHost: false },
}
const ENTRANT = {
  place: 1,
  userId: 3,
  username: 'luna',
  isBot: false,
  standing: '99.985',
  score: '99.985',
  isRanked: false,
  hasLeft: false,
  trades: 1,
  medal: null,
}
const RANKING = {
  fairId: 12,
  asOf: '2026-03-01T13:05:00.000Z',
  isFinal: false,
  entrants: [ENTRANT],
  mine: ENTRANT,
  total: 1,
  sum: { stakes: '100', fees: '0.015', standings: '99.985', dust: '0' },
  nextCursor: null,
}
const ROOM = { ...FAIR, kind: 'room', name: 'Friday evening', state: 'lobby', host: { id: 3, username: 'luna' } }
const INVITE = 'J4kZt0bqQ3mVx8nW2rYc1A'
const TOKEN_ID = 1_000_000_007

export const fairsProcedures = {
  list: query({
    access: 'guestOrPlayer',
    apiKey: 'market',
    input: listInput,
    output: fairList,
    nextCursor: ({ nextCursor }: FairList) => nextCursor,
    rest: 'GET /api/fairs',
    operationId: 'listFairs',
    summary: 'The fairs to come, those that run, and those that have ended; rooms only for who is in them.',
    example: { answer: { upcoming: [], running: [], ended: [], nextCursor: null, houseBots: true } },
  }),
  get: query({
    access: 'guestOrPlayer',
    apiKey: 'market',
    input: fairInput,
    output: fair,
    rest: 'GET /api/fairs/{id}',
    operationId: 'getFair',
    summary: 'One fair; a room only for who is in it, or with the code of its link.',
    errors: ['FAIR_NOT_FOUND'],
    example: { input: { id: 12 }, answer: FAIR },
  }),
  create: mutation({
    apiKey: 'trade',
    input: createInput,
    output: created,
    rest: 'POST /api/fairs',
    operationId: 'createFair',
    status: 201,
    summary: 'Makes a room for whoever has its link, a cup for API keys, or a sandbox for one’s own.',
    errors: ['TOO_MANY_FAIRS', 'FAIR_RULE'],
    example: { input: { kind: 'room', name: 'Friday evening', minutes: 30 }, answer: { fair: ROOM, invite: INVITE } },
  }),
  enter: mutation({
    apiKey: 'trade',
    input: fairInput,
    output: fair,
    rest: 'POST /api/fairs/{id}/enter',
    operationId: 'enterFair',
    summary: 'Enters a fair and gets its stake, once; the second time nothing changes.',
    errors: ['FAIR_NOT_FOUND', 'FAIR_ENDED', 'FAIR_NOT_OPEN', 'FAIR_FULL', 'FAIR_RULE'],
    example: { input: { id: 12 }, answer: FAIR },
  }),
  leave: mutation({
    apiKey: 'trade',
    whenSuspended: 'allowed',
    input: byFair,
    output: fair,
    rest: 'POST /api/fairs/{id}/leave',
    operationId: 'leaveFair',
    summary:
      'Leaves a fair for good: before the opening without a trace, later with the account in its sum, without a medal.',
    errors: ['FAIR_NOT_FOUND', 'FAIR_ENDED', 'NOT_IN_FAIR'],
    example: { input: { id: 12 }, answer: { ...FAIR, me: null } },
  }),
  ranking: query({
    access: 'guestOrPlayer',
    apiKey: 'market',
    input: rankingInput,
    output: ranking,
    nextCursor: ({ nextCursor }: FairRanking) => nextCursor,
    rest: 'GET /api/fairs/{id}/ranking',
    operationId: 'getFairRanking',
    summary:
      'Who stands where, a second ago at most, longer only where computing it takes long; after the end the results.',
    errors: ['FAIR_NOT_FOUND'],
    example: { input: { id: 12 }, answer: RANKING },
  }),
  tokens: query({
    access: 'guestOrPlayer',
    apiKey: 'market',
    input: byFair,
    output: z.array(fairToken),
    rest: 'GET /api/fairs/{id}/tokens',
    operationId: 'listFairTokens',
    summary: 'The tokens of a fair, the highest market cap first, at most 500.',
    errors: ['FAIR_NOT_FOUND'],
    example: {
      input: { id: 12 },
      answer: [
        {
          id: TOKEN_ID,
          ...TOKEN_NAMES,
          creator: CREATOR,
          currentPrice: CURRENT_PRICE,
          marketCap: MARKET_CAP,
          change: '6.76',
          realSol: '0.985',
          trades: 1,
          isRugged: false,
          createdAt: '2026-03-01T13:00:01.000Z',
        },
      ],
    },
  }),
  trades: query({
    access: 'guestOrPlayer',
    apiKey: 'market',
    reads: countPageReads,
    input: fairTradesInput,
    output: marketTradesPage,
    rest: 'GET /api/fairs/{id}/trades',
    operationId: 'listFairTrades',
    list: 'trades',
    summary: 'All trades of a fair, newest first.',
    errors: ['FAIR_NOT_FOUND', 'BUSY'],
    example: {
      input: { id: 12, limit: 50 },
      answer: [{ ...BUY_TRADE, ...TOKEN_NAMED, tokenId: TOKEN_ID }],
    },
  }),
  bag: query({
    apiKey: 'market',
    input: byFair,
    output: fairBag,
    rest: 'GET /api/fairs/{id}/bag',
    operationId: 'getFairBag',
    summary: 'One’s own SOL and tokens in a fair.',
    errors: ['FAIR_NOT_FOUND', 'NOT_IN_FAIR'],
    example: { input: { id: 12 }, answer: { balance: '99', standing: '99.985', cashOut: '99.97', holdings: [] } },
  }),
  story: query({
    apiKey: 'never',
    input: byFair,
    output: fairStory,
    rest: 'GET /api/fairs/{id}/story',
    operationId: 'getFairStory',
    summary: 'How one’s own fair went, once it has ended.',
    errors: ['FAIR_NOT_FOUND', 'NOT_IN_FAIR', 'FAIR_NOT_OPEN'],
    example: { input: { id: 12 }, answer: { best: null, worst: null, trades: 1, ranks: [] } },
  }),
  replay: query({
    apiKey: 'never',
    reads: () => REPLAY_READS,
    input: byFair,
    output: fairReplay,
    rest: 'GET /api/fairs/{id}/replay',
    operationId: 'getFairReplay',
    summary: 'How the first places of an ended fair came to be.',
    errors: ['FAIR_NOT_FOUND', 'FAIR_NOT_OPEN', 'BUSY'],
    example: { input: { id: 12 }, answer: { times: [], entrants: [], tokens: [] } },
  }),
  record: query({
    access: 'anyone',
    input: z.object({ userId }),
    output: fairRecord,
    rest: 'GET /api/users/{userId}/fairs',
    operationId: 'getFairRecord',
    summary: 'A player’s medals, latest places and rating in fairs of the house.',
    example: {
      input: { userId: 3 },
      answer: { rating: 1612, isProvisional: true, arenas: 4, medals: { gold: 1, silver: 0, bronze: 1 }, latest: [] },
    },
  }),
  update: mutation({
    apiKey: 'trade',
    input: updateInput,
    output: fair,
    rest: 'PUT /api/fairs/{id}',
    operationId: 'updateFair',
    summary: 'The host starts a fair, ends it (a cup: only before it begins), or pauses launches.',
    errors: ['FAIR_NOT_FOUND', 'NOT_YOURS', 'FAIR_ENDED', 'FAIR_RULE', 'TOO_MANY_FAIRS'],
    example: { input: { id: 14, launches: 'nobody' }, answer: { ...ROOM, launches: 'nobody' } },
  }),
  renewInvite: mutation({
    input: byFair,
    output: z.object({ invite }),
    rest: 'POST /api/fairs/{id}/invite',
    operationId: 'renewFairInvite',
    summary: 'A new link for a room; the old one lets nobody in any more.',
    errors: ['FAIR_NOT_FOUND', 'NOT_YOURS'],
    example: { input: { id: 14 }, answer: { invite: INVITE } },
  }),
  remove: mutation({
    input: removeInput,
    output: fair,
    rest: 'DELETE /api/fairs/{id}/entrants/{userId}',
    operationId: 'removeFromFair',
    summary: 'The host removes somebody from a room, or a cup before it begins; the account stays in its sum.',
    errors: ['FAIR_NOT_FOUND', 'NOT_YOURS', 'NOT_IN_FAIR', 'FAIR_ENDED', 'FAIR_RULE'],
    example: { input: { id: 14, userId: 5 }, answer: ROOM },
  }),
  /** The fair and its ranking whenever they change, at most once a second. */
  watch: subscription({ access: 'guestOrPlayer', apiKey: 'market', input: byFair, output: watchEvent }),
}
