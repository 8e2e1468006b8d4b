import { z } from 'zod'
import { TRADED_AT } from './example-market.ts'
import { userId } from './ids.ts'
import { mutation, query, subscription } from './procedure.ts'
import { decimal, time, tokenShown } from './shapes.ts'

export const TAPE_MS = 180_000
/** Number of squares in a strip. Each square stands for a ninth of the three minutes. */
export const STRIP_SQUARES = 9

const day = z.iso.date().describe('Date in UTC.')
const percent = decimal.describe('Profit or loss as a percentage of the SOL invested.')
const strip = z
  .string()
  .describe(
    'Nine squares: 🟩 held while the price rose, 🟥 held while it fell, ⬜ held while it did not change, ⬛ not held.',
  )
const isGenerated = z
  .boolean()
  .describe('true if the prices are generated, because the market’s history was too short.')
const ms = z.int().describe('Milliseconds since the game began.')
const playId = z.uuid('must be the id of a play')
const commit = z
  .string()
  .describe('SHA-256, in hex, of the text that describes the game. The text is published after the game.')

const point = z
  .object({
    ms,
    level: decimal.describe('Price × a factor that stays secret until the game ends.'),
  })
  .meta({ id: 'TapePoint' })

const play = z
  .object({
    id: playId.describe('Id of your game. Anyone who knows the id can buy and sell in this game.'),
    day,
    elapsedMs: z.int().describe(`Milliseconds since the play began, at most ${TAPE_MS}.`),
    boughtMs: ms.nullable(),
    soldMs: ms.nullable(),
    isOver: z.boolean().describe('Whether the game has ended. After three minutes, a holding is sold automatically.'),
    points: z.array(point).describe('Prices shown so far, starting at the requested point.'),
  })
  .meta({ id: 'TapePlay' })
export type TapePlay = z.output<typeof play>

const dayPlayed = z
  .object({
    day,
    strip,
    percent,
  })
  .meta({ id: 'TapeDay' })

export const tapeToday = z
  .object({
    day,
    endsAt: time.describe('When the next day’s game begins.'),
    isGenerated,
    commit,
    committedAt: time.describe('When the game’s token and trades were chosen, usually on the day before.'),
    tomorrow: z.object({ day, commit }).describe('Tomorrow’s game. It is already chosen.'),
    play: play.nullable().describe('Your game today.'),
    streak: z
      .int()
      .describe('Number of days in a row on which you played. Missing one day in seven does not end the streak.'),
    calendar: z.array(dayPlayed).describe('Finished games of the last twelve weeks, newest first.'),
  })
  .meta({ id: 'TapeToday' })
export type TapeToday = z.output<typeof tapeToday>

export const tapeResult = z
  .object({
    day,
    isGenerated,
    commit,
    text: z.string().nullable().describe('Text whose SHA-256 is `commit`, or null if the token is now hidden.'),
    token: z
      .object(tokenShown)
      .nullable()
      .describe('The token, or null if the prices were generated or the token is now hidden.'),
    fromSeq: z.int().nullable().describe('Sequence number of the token’s event at the start of the game.'),
    toSeq: z.int().nullable().describe('Sequence number of the token’s event at the end of the game.'),
    from: time.nullable().describe('Time of the first trade.'),
    to: time.nullable().describe('Time of the last trade.'),
    points: z.array(point),
    mine: z
      .object({ boughtMs: ms.nullable(), soldMs: ms.nullable(), strip, percent })
      .nullable()
      .describe('Your game on this day.'),
    hold: percent.describe('Result of buying at the start and holding to the end.'),
    best: z.object({ percent, boughtMs: ms.nullable(), soldMs: ms.nullable() }).describe('The best possible result.'),
    bots: z
      .array(z.object({ userId, username: z.string(), percent }))
      .describe('At most three house bots that traded at that time, best first.'),
    players: z
      .object({
        count: z.int(),
        beaten: z.int().describe('Number of them that did worse; 0 if you have not played.'),
        median: percent.nullable(),
      })
      .describe('Other accounts that finished this day’s game.'),
  })
  .meta({ id: 'TapeResult' })
export type TapeResult = z.output<typeof tapeResult>

export const playInput = z.object({ id: playId })
export const followInput = z.object({
  id: playId,
  lastEventId: z
    .string()
    .regex(/^\d{1,4}$/, 'must be the number of a point')
    .nullish()
    .describe('Number of points received. Sends later ones first.'),
})

const ID = '7b0e6a52-3a53-4f0f-9d5b-0f6a1c1d2e3f'
const POINTS = [
  { ms: 0, level: '812.5' },
  { ms: 2_950, level: '866.1' },
]
const PLAY = {
  id: ID,
  day: '2026-03-01',
  elapsedMs: 4_000,
  boughtMs: null,
  soldMs: null,
  isOver: false,
  points: POINTS,
}
const COMMIT = '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08'
const PLAYED = { strip: '⬛🟩🟩🟥🟩⬛⬛⬛⬛', percent: '8.41' }

export const tapeProcedures = {
  today: query({
    access: 'guestOrPlayer',
    apiKey: 'market',
    output: tapeToday,
    rest: 'GET /api/tape',
    operationId: 'getTape',
    summary: 'Returns today’s daily game, your own game and your past results.',
    errors: ['BUSY'],
    example: {
      response: {
        day: '2026-03-01',
        endsAt: '2026-03-02T00:00:00.000Z',
        isGenerated: false,
        commit: COMMIT,
        committedAt: '2026-02-28T00:10:00.000Z',
        tomorrow: { day: '2026-03-02', commit: COMMIT },
        play: PLAY,
        streak: 3,
        calendar: [{ day: '2026-02-28', ...PLAYED }],
      },
    },
  }),
  play: mutation({
    access: 'guestOrPlayer',
    output: play,
    rest: 'POST /api/tape/plays',
    operationId: 'playTape',
    summary:
      'Starts the daily game for you, or returns your game if you have already started. Guests are identified by a cookie.',
    errors: ['BUSY', 'TAPE_ENDS'],
    setsCookie: true,
    example: { response: PLAY },
  }),
  buy: mutation({
    access: 'guestOrPlayer',
    input: playInput,
    output: play,
    rest: 'POST /api/tape/plays/{id}/buy',
    operationId: 'buyOnTape',
    summary: 'Buys in the daily game at its current price. A second buy, or a buy after the end, changes nothing.',
    errors: ['TAPE_NOT_FOUND'],
    example: { input: { id: ID }, response: { ...PLAY, boughtMs: 4_000 } },
  }),
  sell: mutation({
    access: 'guestOrPlayer',
    input: playInput,
    output: play,
    rest: 'POST /api/tape/plays/{id}/sell',
    operationId: 'sellOnTape',
    summary:
      'Sells in the daily game at its current price, which ends your game. A sale before a buy, or after the end, changes nothing.',
    errors: ['TAPE_NOT_FOUND'],
    example: { input: { id: ID }, response: { ...PLAY, boughtMs: 1_000, soldMs: 4_000, isOver: true } },
  }),
  /**
   * Sends the game with its new points while it runs, and resumes after the number of points that the client received.
   */
  follow: subscription({ access: 'anyone', input: followInput, output: play }),
  result: query({
    access: 'guestOrPlayer',
    apiKey: 'market',
    input: z.object({ day: z.iso.date('must be a day, such as 2026-01-05') }),
    output: tapeResult,
    rest: 'GET /api/tape/{day}',
    operationId: 'getTapeResult',
    summary:
      'Returns the token of one day’s game, and the results of all players. You can read today’s result only after you have played.',
    errors: ['TAPE_NOT_FOUND', 'TAPE_NOT_PLAYED'],
    example: {
      input: { day: '2026-03-01' },
      response: {
        day: '2026-03-01',
        isGenerated: false,
        commit: COMMIT,
        text: 'Papermoon tape 2026-03-01\nseed 00\ntoken 7, trades 121 to 180',
        token: { id: 7, name: 'Paper Moon', symbol: 'MOON', emoji: '🌙' },
        fromSeq: 121,
        toSeq: 180,
        from: TRADED_AT,
        to: TRADED_AT,
        points: POINTS,
        mine: { boughtMs: 1_000, soldMs: 4_000, ...PLAYED },
        hold: '5.97',
        best: { percent: '31.2', boughtMs: 0, soldMs: 2_950 },
        bots: [{ userId: 3, username: 'luna', percent: '2.1' }],
        players: { count: 12, beaten: 8, median: '1.3' },
      },
    },
  }),
}
