import { z } from 'zod'
import { TRADED_AT } from './example-market.ts'
import { userId } from './ids.ts'
import { mutation, query, subscription } from './procedure.ts'
import { decimal, time, tokenShown } from './shapes.ts'

export const TAPE_MS = 180_000
/** Number of squares in a strip. Each square stands for a ninth of the three minutes. */
export const STRIP_SQUARES = 9

const day = z.iso.date().describe('UTC date.')
const percent = decimal.describe('Profit or loss in percent of the stake.')
const strip = z
  .string()
  .describe('Nine squares: 🟩 held as the price rose, 🟥 as it fell, ⬜ as it did not change, ⬛ not held.')
const isGenerated = z.boolean().describe('true if the market’s history was too short, so the tape was generated.')
const ms = z.int().describe('Milliseconds since the play began.')
const playId = z.uuid('must be the id of a play')
const commit = z
  .string()
  .describe('SHA-256, in hex, of the text that names the stretch; the text is revealed after the play.')

const point = z
  .object({
    ms,
    level: decimal.describe('Price, multiplied by a number that is secret until the result.'),
  })
  .meta({ id: 'TapePoint' })

const play = z
  .object({
    id: playId.describe('Anyone who knows it can buy and sell in this play.'),
    day,
    elapsedMs: z.int().describe(`Milliseconds since the play began, at most ${TAPE_MS}.`),
    boughtMs: ms.nullable(),
    soldMs: ms.nullable(),
    isOver: z.boolean().describe('true after the sale or after three minutes, when a holding is sold.'),
    points: z.array(point).describe('Points shown so far, from the one asked for.'),
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
    endsAt: time.describe('When the next tape begins.'),
    isGenerated,
    commit,
    committedAt: time.describe('When the stretch was chosen: the day before, or today for a market’s first tape.'),
    tomorrow: z.object({ day, commit }).describe('Tomorrow’s tape is chosen already.'),
    play: play.nullable().describe('Your play today.'),
    streak: z.int().describe('Days in a row. One missed day in seven is forgiven.'),
    calendar: z.array(dayPlayed).describe('Finished plays of the last twelve weeks, newest first.'),
  })
  .meta({ id: 'TapeToday' })
export type TapeToday = z.output<typeof tapeToday>

export const tapeResult = z
  .object({
    day,
    isGenerated,
    commit,
    text: z.string().nullable().describe('Text whose SHA-256 is the commit; null if its token is now hidden.'),
    token: z.object(tokenShown).nullable().describe('Null if generated, or now hidden.'),
    fromSeq: z.int().nullable().describe('The token’s sequence number at the first point.'),
    toSeq: z.int().nullable().describe('The token’s sequence number at the last point.'),
    from: time.nullable().describe('When the first trade happened.'),
    to: time.nullable().describe('When the last trade happened.'),
    points: z.array(point),
    mine: z
      .object({ boughtMs: ms.nullable(), soldMs: ms.nullable(), strip, percent })
      .nullable()
      .describe('Your play.'),
    hold: percent.describe('Result of buying at the first point and holding to the end.'),
    best: z.object({ percent, boughtMs: ms.nullable(), soldMs: ms.nullable() }).describe('Best possible result.'),
    bots: z
      .array(z.object({ userId, username: z.string(), percent }))
      .describe('House bots that traded then, best first, at most three.'),
    players: z
      .object({
        count: z.int(),
        beaten: z.int().describe('Number of them that did worse; 0 if you have not played.'),
        median: percent.nullable(),
      })
      .describe('Other accounts that finished this tape.'),
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
    summary:
      'Today’s daily game: three minutes of a token’s past, the same for everyone, with your play, streak and calendar.',
    errors: ['BUSY'],
    example: {
      answer: {
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
    summary: 'Begins today’s play, or returns the one you began. A cookie identifies a guest.',
    errors: ['BUSY', 'TAPE_ENDS'],
    setsCookie: true,
    example: { answer: PLAY },
  }),
  buy: mutation({
    access: 'guestOrPlayer',
    input: playInput,
    output: play,
    rest: 'POST /api/tape/plays/{id}/buy',
    operationId: 'buyOnTape',
    summary: 'Buys at the last price shown, by the server’s clock. Buying again, or after the end, changes nothing.',
    errors: ['TAPE_NOT_FOUND'],
    example: { input: { id: ID }, answer: { ...PLAY, boughtMs: 4_000 } },
  }),
  sell: mutation({
    access: 'guestOrPlayer',
    input: playInput,
    output: play,
    rest: 'POST /api/tape/plays/{id}/sell',
    operationId: 'sellOnTape',
    summary: 'Sells at the last price shown and ends the play. Before a buy, or after the end, changes nothing.',
    errors: ['TAPE_NOT_FOUND'],
    example: { input: { id: ID }, answer: { ...PLAY, boughtMs: 1_000, soldMs: 4_000, isOver: true } },
  }),
  /** Sends the play while it runs, with new points. Resumes after the number of points that the client received. */
  follow: subscription({ access: 'anyone', input: followInput, output: play }),
  result: query({
    access: 'guestOrPlayer',
    apiKey: 'market',
    input: z.object({ day: z.iso.date('must be a day, such as 2026-01-05') }),
    output: tapeResult,
    rest: 'GET /api/tape/{day}',
    operationId: 'getTapeResult',
    summary: 'What a tape was, and how everyone did. Today’s only after your play, earlier ones at any time.',
    errors: ['TAPE_NOT_FOUND', 'TAPE_NOT_PLAYED'],
    example: {
      input: { day: '2026-03-01' },
      answer: {
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
