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

export const FAIR_KINDS = ['arena', 'season', 'room', 'cup', 'sandbox'] as const
export type FairKind = (typeof FAIR_KINDS)[number]
export const ENTRANTS_MAX = 500
/** Max number of rooms and cups that a player can host at once. */
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
  .describe(
    'lobby means that trading has not begun. settled means that the fair has ended and has results. void means that the fair’s results do not count.',
  )

const me = z
  .object({
    balance: decimal.nullable().describe('Your SOL in this fair, or null if you have not entered.'),
    hasLeft: z.boolean(),
    isHost: z.boolean(),
    place: z.int().optional().describe('Your final rank, after the end.'),
  })
  .describe('Your role in the fair, or null if you neither entered nor host the fair.')

export const fair = z
  .object({
    id: fairId,
    kind: z.enum(FAIR_KINDS),
    name: z.string(),
    isQuick: z.boolean().describe('Whether the fair is a quick arena.'),
    host: z
      .object({ id: userId, username: z.string() })
      .nullable()
      .describe('Host of the fair, or null if the house runs it.'),
    state,
    stake: decimal.describe('SOL that each player starts with.'),
    lobbyAt: time.describe('When players can begin to enter.'),
    startsAt: time.describe('When trading opens.'),
    endsAt: time.describe('Latest time at which trading ends.'),
    bellFrom: time.describe('Trading ends at a secret time between bellFrom and endsAt.'),
    bellAt: time.nullable().describe('When trading ended, or null before the end.'),
    commit: z.string().describe('SHA-256, in hex, of the secret that determines when trading ends.'),
    secret: z
      .string()
      .nullable()
      .describe('The secret whose hash is `commit`, in hex, published after the fair’s end.'),
    launches: z.enum(['all', 'host', 'nobody']),
    rugs: z.boolean(),
    lateEntry: z.boolean(),
    everyoneRanks: z
      .boolean()
      .describe('Whether one trade is enough to be ranked, as in rooms. Without a trade, nobody is ranked.'),
    depth: z.boolean(),
    entrants: z.int(),
    entrantsMax: z.int(),
    bots: z.int().describe('Number of house bots among the players.'),
    botsAtStart: z.int().describe('Number of house bots that enter when trading begins.'),
    note: z.string().nullable().describe('Why the fair began late, has no bots or does not count.'),
    winner: z.string().optional().describe('Name of the winner, set after the fair’s end.'),
    me: me.nullable(),
  })
  .meta({ id: 'Fair' })
export type Fair = z.output<typeof fair>

export const fairList = z
  .object({
    upcoming: z
      .array(fair)
      .describe('Fairs that have not begun: first the house’s, then yours, then others, each sorted by start.'),
    running: z.array(fair).describe('Running fairs: first the house’s, then yours, then others, each sorted by end.'),
    ended: z.array(fair).describe('Ended fairs, newest first.'),
    nextCursor: z.string().nullable().describe('Cursor for the next page of ended fairs.'),
    houseBots: z.boolean().describe('Whether house bots can enter fairs.'),
  })
  .meta({ id: 'FairList' })
export type FairList = z.output<typeof fairList>

export const entrant = z
  .object({
    place: z.int().describe('Rank, from 1, shared by equal scores. Ranked players come first.'),
    ...playerFields,
    standing: decimal.describe('The player’s balance plus all pool shares, in SOL.'),
    score: decimal.describe(
      'Result in SOL. Gains above 10 % of the stake from one other player, except a house bot, do not count.',
    ),
    isRanked: z
      .boolean()
      .describe(
        'Whether the player is ranked. Outside rooms, this requires trading the stake in the first two thirds.',
      ),
    hasLeft: z.boolean(),
    trades: z.int(),
    medal: z
      .int()
      .min(1)
      .max(3)
      .nullable()
      .describe('1 is gold, 2 is silver, and 3 is bronze. Null if there is no medal, or while the fair is running.'),
    isPaper: z.boolean(),
  })
  .meta({ id: 'FairEntrant' })
export type FairEntrant = z.output<typeof entrant>

const limitedBy = z
  .object({ id: userId, username: z.string() })
  .nullable()
  .describe('Player who lost most of the SOL that your score leaves out.')

export const ranking = z
  .object({
    fairId,
    asOf: time,
    isFinal: z.boolean().describe('Whether the fair has ended.'),
    entrants: z.array(entrant).describe('Players, best first.'),
    mine: entrant.nullable().describe('Your entry, or null if you have not entered.'),
    qualifying: z
      .object({
        traded: decimal.describe('SOL that you have traded in buys and sales.'),
        needed: decimal.describe('SOL that you must trade before `until` to be ranked.'),
        until: time,
      })
      .nullable()
      .describe('The trades that you need to be ranked, or null if all players are ranked or you have not entered.'),
    limitedBy,
    total: z.int().describe('Number of players, with those who are not ranked.'),
    ranked: z.int().describe('Number of players who are ranked.'),
    sum: z
      .object({ stakes: decimal, fees: decimal, standings: decimal, dust: decimal })
      .describe('stakes − fees = standings + dust.'),
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
    change: z.string().describe('Price change since the launch, in percent.'),
    realSol: decimal.describe('Real SOL in the pool, which holders can sell for.'),
    trades: z.int(),
    isRugged: z.boolean(),
    createdAt: time,
  })
  .meta({ id: 'FairToken' })
export type FairToken = z.output<typeof fairToken>

export const fairBag = z
  .object({
    balance: decimal,
    standing: decimal.describe('The player’s balance plus all pool shares, in SOL.'),
    cashOut: decimal.describe('SOL that you would have after selling all your holdings now.'),
    holdings: z.array(
      z.object({
        token: z.object(tokenShown),
        amount: decimal,
        cost: decimal,
        poolShare: decimal.describe('The holding’s share of the pool’s real SOL, in proportion to all holdings.'),
        cashOut: decimal.describe('SOL that selling the holding would pay now.'),
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
    best: storyTrade.nullable().describe('Your most profitable token.'),
    worst: storyTrade.nullable().describe('Your least profitable token.'),
    trades: z.int(),
    ranks: z
      .array(z.object({ at: time, place: z.int() }))
      .describe('Your rank since your first trade, at most 60 points.'),
    rating: z
      .object({
        before: z.int().describe('Rating before the arena.'),
        after: z.int().describe('Rating after the arena.'),
        isProvisional: z
          .boolean()
          .describe('Whether the rating is based on fewer than ten arenas, without quick arenas.'),
      })
      .nullable()
      .describe('Your rating before and after an arena, or null if it did not change.'),
    today: z
      .object({ place: z.int(), of: z.int().describe('Number of players ranked in arenas on that UTC day.') })
      .nullable()
      .describe('Your rank by gain among all ranked arena players of that UTC day.'),
    series: z
      .object({
        games: z.int().describe('Number of rooms in the series.'),
        players: z
          .array(z.object({ id: userId, username: z.string(), wins: z.int().describe('Number of rooms.') }))
          .describe('People without bots, most wins first.'),
      })
      .nullable()
      .describe('How often each person here was the best person in the room and those of which it is a rematch.'),
    limitedBy,
    leaguePoints: z.int().nullable().describe('League points that you won, or null if you won none.'),
  })
  .meta({ id: 'FairStory' })
export type FairStory = z.output<typeof fairStory>

const division = z.int().describe('Division 1 is the highest, and 5 is the lowest.')
const points = z.int().describe('Points of the week.')
/** A group of a weekly league, as the caller sees it. */
export const league = z
  .object({
    startsAt: time.describe('When the week begins: Monday, 00:00 UTC.'),
    endsAt: time.describe('When the week ends. The results are final a minute later.'),
    division,
    rising: z.int().describe('Number of top members who move up a division, if they have points.'),
    falling: z.int().describe('Number of bottom members who move down a division.'),
    members: z.array(
      z.object({
        place: z.int(),
        ...playerFields,
        profilePictureUrl: z.string().nullable(),
        emoji: z.string().nullable().describe('Emoji of a house bot. Null for other players.'),
        points,
      }),
    ),
    place: z.int().nullable().describe('Your rank in the group, or null if you have no group this week.'),
    last: z
      .object({
        division,
        place: z.int(),
        points,
        nextDivision: z.int().describe('Your division in the following week.'),
      })
      .nullable()
      .describe('The result of your last week, or null if you had none.'),
    quests: z
      .array(
        z.object({
          id: z.string(),
          text: z.string().describe('The task of the quest.'),
          isDone: z.boolean().describe('Whether you have done the quest today.'),
        }),
      )
      .describe('Quests of the current UTC day.'),
  })
  .meta({ id: 'League' })
export type League = z.output<typeof league>

/** The scores and prices of a fair at 60 points in time, from opening to end. */
export const fairReplay = z.object({
  times: z.array(time).describe('Evenly spaced times, from the opening to the end.'),
  entrants: z
    .array(
      entrant.pick({ userId: true, username: true, isBot: true, isRanked: true }).extend({
        moments: z
          .array(entrant.pick({ place: true, score: true }).nullable())
          .describe('One entry per point in time, or null before the player entered.'),
      }),
    )
    .describe(`The best ${REPLAYED_MAX} players, and you.`),
  tokens: z
    .array(
      fairToken.pick({ id: true, symbol: true, emoji: true }).extend({
        prices: z.array(decimal.nullable()).describe('One price per point in time, or null before the first trade.'),
      }),
    )
    .describe('The three most traded tokens.'),
})
export type FairReplay = z.output<typeof fairReplay>

export const fairRecord = z
  .object({
    rating: z.int().nullable().describe('Glicko-2 rating, or null before the first ranked arena.'),
    isProvisional: z.boolean().describe('Whether the rating is based on fewer than ten arenas, without quick arenas.'),
    arenas: z.int().describe('Number of ranked arenas, without quick arenas.'),
    medals: z.object({
      gold: z.int(),
      silver: z.int(),
      bronze: z.int(),
      paper: z.int().describe('Number of paper medals.'),
    }),
    latest: z.array(
      z.object({
        fairId,
        name: z.string(),
        kind: z.enum(FAIR_KINDS),
        endedAt: time,
        place: z.int(),
        medal: z.int().nullable(),
        isPaper: z.boolean(),
      }),
    ),
  })
  .meta({ id: 'FairRecord' })
export type FairRecord = z.output<typeof fairRecord>

export const invite = z
  .string()
  .regex(/^[A-Za-z0-9_-]{22}$/, 'must be the code of an invite link')
  .describe('The invite code in the room’s link.')

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
  .describe(`SOL that each player starts with, 1 to ${STAKE_MAX}, truncated to 9 decimals.`)

export const createInput = z
  .object({
    kind: z.enum(['room', 'cup', 'sandbox'], { error: 'must be room, cup or sandbox' }),
    name: text('name', 40, 3),
    startsAt: givenTime
      .optional()
      .describe(
        'When trading opens, within 30 days. By default, a cup opens in a minute, and a room when its host starts it, within a day.',
      ),
    minutes: wholeNumber(MINUTES_MIN, ROOM_MINUTES_MAX).default(30).describe('How long trading lasts, in minutes.'),
    stake,
    launches: z.enum(['all', 'host', 'nobody'], { error: 'must be all, host or nobody' }).default('all'),
    rugs: z.boolean('must be true or false').default(false),
    lateEntry: z.boolean('must be true or false').default(true),
    depth: z.boolean('must be true or false').default(true),
    bots: wholeNumber(0, 10).default(0).describe('Number of house bots.'),
    speed: wholeNumber(1, 60).default(1).describe('In a sandbox, the factor by which bots trade faster than usual.'),
  })
  .superRefine(({ kind, minutes, startsAt, launches, bots, speed }, check) => {
    const report = (path: string, message: string) => check.addIssue({ code: 'custom', path: [path], message })
    if (kind !== 'room' && minutes > ARENA_MINUTES_MAX) report('minutes', `must be at most ${ARENA_MINUTES_MAX}`)
    // An invalid time is still text here, because the schema of `startsAt` reports it.
    const aheadMs = startsAt instanceof Date ? startsAt.getTime() - Date.now() : 0
    if (aheadMs > AHEAD_MAX_MS) report('startsAt', 'must be within 30 days')
    if (aheadMs < -60_000) report('startsAt', 'must not be in the past')
    if (speed > 1 && kind !== 'sandbox') report('speed', 'is only for a sandbox')
    if (bots > 0 && kind === 'cup') report('bots', 'must be 0 in a cup')
    if (launches === 'nobody' && kind === 'sandbox' && bots === 0)
      report('launches', 'must be all or host without bots')
  })
export type CreateFairInput = z.output<typeof createInput>

export const created = z
  .object({
    fair,
    invite: invite.nullable().describe('Invite code of a room. Only this response contains it. Null for other fairs.'),
  })
  .meta({ id: 'CreatedFair' })
export const updateInput = z.object({
  id: fairId,
  launches: z
    .enum(['all', 'host', 'nobody'], { error: 'must be all, host or nobody' })
    .optional()
    .describe('Who can launch from now on.'),
  act: z
    .enum(['start', 'end'], { error: 'must be start or end' })
    .optional()
    .describe('start opens trading now. end ends the fair now.'),
})
export const removeInput = z.object({ id: fairId, userId })
export const watchEvent = z.object({ fair, ranking }).meta({ id: 'FairNow' })
export type FairNow = z.output<typeof watchEvent>

/** Number of reads that a replay counts as in the rate limit, because it may read the fair's whole journal. */
const REPLAY_READS = 10

const FAIR = {
  id: 12,
  kind: 'arena',
  name: 'Arena 13:00 UTC',
  isQuick: false,
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
  everyoneRanks: false,
  depth: true,
  entrants: 9,
  entrantsMax: ENTRANTS_MAX,
  bots: 6,
  botsAtStart: 6,
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
  isPaper: false,
}
const RANKING = {
  fairId: 12,
  asOf: '2026-03-01T13:05:00.000Z',
  isFinal: false,
  entrants: [ENTRANT],
  mine: null,
  qualifying: { traded: '5', needed: '100', until: '2026-03-01T13:10:00.000Z' },
  limitedBy: null,
  total: 1,
  ranked: 1,
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
    summary: 'Lists upcoming, running and ended fairs. Private rooms are listed only for their members.',
    example: { response: { upcoming: [], running: [], ended: [], nextCursor: null, houseBots: true } },
  }),
  get: query({
    access: 'guestOrPlayer',
    apiKey: 'market',
    input: fairInput,
    output: fair,
    rest: 'GET /api/fairs/{id}',
    operationId: 'getFair',
    summary: 'Returns a fair. For a private room, callers without membership or invite code get 404.',
    errors: ['FAIR_NOT_FOUND'],
    example: { input: { id: 12 }, response: FAIR },
  }),
  create: mutation({
    apiKey: 'trade',
    input: createInput,
    output: created,
    rest: 'POST /api/fairs',
    operationId: 'createFair',
    status: 201,
    summary: 'Creates a private room or a sandbox and enters you, or creates a cup for API keys.',
    errors: ['TOO_MANY_FAIRS', 'FAIR_RULE'],
    example: { input: { kind: 'room', name: 'Friday evening', minutes: 30 }, response: { fair: ROOM, invite: INVITE } },
  }),
  beginQuick: mutation({
    output: fair,
    rest: 'POST /api/fairs/quick',
    operationId: 'beginQuickArena',
    summary: 'Creates and enters a quick arena, or returns the arena that you are in.',
    errors: ['FAIR_RULE', 'TOO_MANY_FAIRS'],
    example: {
      response: {
        ...FAIR,
        name: 'Quick arena of 13:02',
        isQuick: true,
        state: 'lobby',
        entrants: 1,
        bots: 0,
        botsAtStart: 7,
      },
    },
  }),
  rematch: mutation({
    input: byFair,
    output: created,
    rest: 'POST /api/fairs/{id}/rematch',
    operationId: 'rematchFair',
    status: 201,
    summary:
      'Enters you in the rematch of an ended room. The first call creates the rematch and notifies the other players.',
    errors: ['FAIR_NOT_FOUND', 'FAIR_RULE', 'FAIR_FULL', 'FAIR_ENDED', 'FAIR_NOT_OPEN', 'TOO_MANY_FAIRS'],
    example: { input: { id: 14 }, response: { fair: { ...ROOM, id: 15 }, invite: INVITE } },
  }),
  enter: mutation({
    apiKey: 'trade',
    input: fairInput,
    output: fair,
    rest: 'POST /api/fairs/{id}/enter',
    operationId: 'enterFair',
    summary: 'Enters you in a fair and gives you its starting SOL. If you have already entered, nothing changes.',
    errors: ['FAIR_NOT_FOUND', 'FAIR_ENDED', 'FAIR_NOT_OPEN', 'FAIR_FULL', 'FAIR_RULE'],
    example: { input: { id: 12 }, response: FAIR },
  }),
  leave: mutation({
    apiKey: 'trade',
    whenSuspended: 'allowed',
    input: byFair,
    output: fair,
    rest: 'POST /api/fairs/{id}/leave',
    operationId: 'leaveFair',
    summary: 'Leaves a fair permanently. If you leave after trading opens, you get no medal.',
    errors: ['FAIR_NOT_FOUND', 'FAIR_ENDED', 'NOT_IN_FAIR'],
    example: { input: { id: 12 }, response: { ...FAIR, me: null } },
  }),
  ranking: query({
    access: 'guestOrPlayer',
    apiKey: 'market',
    input: rankingInput,
    output: ranking,
    nextCursor: ({ nextCursor }: FairRanking) => nextCursor,
    rest: 'GET /api/fairs/{id}/ranking',
    operationId: 'getFairRanking',
    summary: 'Returns the ranking of a fair, or the results after its end.',
    errors: ['FAIR_NOT_FOUND'],
    example: { input: { id: 12 }, response: RANKING },
  }),
  tokens: query({
    access: 'guestOrPlayer',
    apiKey: 'market',
    input: byFair,
    output: z.array(fairToken),
    rest: 'GET /api/fairs/{id}/tokens',
    operationId: 'listFairTokens',
    summary: 'Lists the tokens of a fair, highest market cap first, at most 500.',
    errors: ['FAIR_NOT_FOUND'],
    example: {
      input: { id: 12 },
      response: [
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
    summary: 'Lists all trades of a fair, newest first.',
    errors: ['FAIR_NOT_FOUND', 'BUSY'],
    example: {
      input: { id: 12, limit: 50 },
      response: [{ ...BUY_TRADE, ...TOKEN_NAMED, tokenId: TOKEN_ID }],
    },
  }),
  bag: query({
    apiKey: 'market',
    input: byFair,
    output: fairBag,
    rest: 'GET /api/fairs/{id}/bag',
    operationId: 'getFairBag',
    summary: 'Returns your SOL and tokens in a fair.',
    errors: ['FAIR_NOT_FOUND', 'NOT_IN_FAIR'],
    example: { input: { id: 12 }, response: { balance: '99', standing: '99.985', cashOut: '99.97', holdings: [] } },
  }),
  story: query({
    apiKey: 'never',
    input: byFair,
    output: fairStory,
    rest: 'GET /api/fairs/{id}/story',
    operationId: 'getFairStory',
    summary: 'Returns a summary of your own results in a fair. Fails if the fair has not ended.',
    errors: ['FAIR_NOT_FOUND', 'NOT_IN_FAIR', 'FAIR_NOT_OPEN'],
    example: {
      input: { id: 12 },
      response: {
        best: null,
        worst: null,
        trades: 1,
        ranks: [],
        rating: null,
        today: null,
        series: null,
        limitedBy: null,
        leaguePoints: null,
      },
    },
  }),
  replay: query({
    apiKey: 'never',
    reads: () => REPLAY_READS,
    input: byFair,
    output: fairReplay,
    rest: 'GET /api/fairs/{id}/replay',
    operationId: 'getFairReplay',
    summary: 'Returns how the best players’ scores changed during an ended fair.',
    errors: ['FAIR_NOT_FOUND', 'FAIR_NOT_OPEN', 'BUSY'],
    example: { input: { id: 12 }, response: { times: [], entrants: [], tokens: [] } },
  }),
  record: query({
    access: 'anyone',
    input: z.object({ userId }),
    output: fairRecord,
    rest: 'GET /api/users/{userId}/fairs',
    operationId: 'getFairRecord',
    summary: 'Returns a player’s medals, latest ranks and rating in fairs run by the house.',
    example: {
      input: { userId: 3 },
      response: {
        rating: 1612,
        isProvisional: true,
        arenas: 4,
        medals: { gold: 1, silver: 0, bronze: 1, paper: 2 },
        latest: [],
      },
    },
  }),
  league: query({
    apiKey: 'never',
    output: league,
    rest: 'GET /api/league',
    operationId: 'getLeague',
    summary:
      'Returns your group of the weekly league and the quests of the day. Players without a group get the highest group.',
    example: {
      response: {
        startsAt: '2026-03-02T00:00:00.000Z',
        endsAt: '2026-03-09T00:00:00.000Z',
        division: 5,
        rising: 5,
        falling: 0,
        members: [],
        place: null,
        last: null,
        quests: [],
      },
    },
  }),
  update: mutation({
    apiKey: 'trade',
    input: updateInput,
    output: fair,
    rest: 'PUT /api/fairs/{id}',
    operationId: 'updateFair',
    summary: 'Starts or ends your fair, or changes who can launch tokens. You can end a cup only before it begins.',
    errors: ['FAIR_NOT_FOUND', 'NOT_YOURS', 'FAIR_ENDED', 'FAIR_RULE', 'TOO_MANY_FAIRS'],
    example: { input: { id: 14, launches: 'nobody' }, response: { ...ROOM, launches: 'nobody' } },
  }),
  renewInvite: mutation({
    input: byFair,
    output: z.object({ invite }),
    rest: 'POST /api/fairs/{id}/invite',
    operationId: 'renewFairInvite',
    summary: 'Replaces a room’s invite link. The old link stops working.',
    errors: ['FAIR_NOT_FOUND', 'NOT_YOURS'],
    example: { input: { id: 14 }, response: { invite: INVITE } },
  }),
  remove: mutation({
    input: removeInput,
    output: fair,
    rest: 'DELETE /api/fairs/{id}/entrants/{userId}',
    operationId: 'removeFromFair',
    summary:
      'Removes a player from your room, or from your cup before it begins. The removed player’s SOL still counts in the fair’s totals.',
    errors: ['FAIR_NOT_FOUND', 'NOT_YOURS', 'NOT_IN_FAIR', 'FAIR_ENDED', 'FAIR_RULE'],
    example: { input: { id: 14, userId: 5 }, response: ROOM },
  }),
  /** Sends a fair and its ranking after each change, at most once a second. */
  watch: subscription({ access: 'guestOrPlayer', apiKey: 'market', input: byFair, output: watchEvent }),
}
