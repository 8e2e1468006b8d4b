import { z } from 'zod'
import { TRADED_AT } from './example-market.ts'
import { userId } from './ids.ts'
import { mutation, query, subscription } from './procedure.ts'
import { decimal, time, tokenShown } from './shapes.ts'

/** How long a play takes. */
export const TAPE_MS = 180_000
/** Squares of a strip: each is a ninth of the three minutes. */
export const STRIP_SQUARES = 9

const day = z.iso.date().describe('A day, UTC.')
const percent = decimal.describe('Won or lost, in percent of the stake.')
const strip = z
  .string()
  .describe('Nine squares: 🟩 held while it rose, 🟥 while it fell, ⬜ while it stood, ⬛ not held.')
const isGenerated = z.boolean().describe('The market has too little history, so this tape is made up.')
const ms = z.int().describe('Milliseconds since the play began.')
const playId = z.uuid('must be the id of a play')
const commit = z
  .string()
  .describe('SHA-256, in hex, of the text that names the choice; the text is told after the play.')

const point = z
  .object({
    ms,
    level: decimal.describe('The price, times a number that is kept until the reveal.'),
  })
  .meta({ id: 'TapePoint' })

const play = z
  .object({
    id: playId.describe('Whoever knows it may buy and sell in this play.'),
    day,
    elapsedMs: z.int().describe(`How long it has gone on, at most ${TAPE_MS}.`),
    boughtMs: ms.nullable(),
    soldMs: ms.nullable(),
    isOver: z.boolean().describe('Sold, or the three minutes are over: what was bought was held to the end.'),
    points: z.array(point).describe('What the tape has shown so far, from the one that was asked for.'),
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
    committedAt: time.describe('When it was chosen; the day before, but for the first tape of a market.'),
    tomorrow: z.object({ day, commit }).describe('The next tape is chosen already.'),
    play: play.nullable().describe('One’s own play of today.'),
    streak: z.int().describe('Days in a row; one missed day in seven is forgiven.'),
    calendar: z.array(dayPlayed).describe('Finished plays of the last twelve weeks, newest first.'),
  })
  .meta({ id: 'TapeToday' })
export type TapeToday = z.output<typeof tapeToday>

export const tapeResult = z
  .object({
    day,
    isGenerated,
    commit,
    text: z.string().nullable().describe('The text whose SHA-256 is the commit. Null: its token was hidden since.'),
    token: z.object(tokenShown).nullable().describe('Null: made up, or hidden since.'),
    fromSeq: z.int().nullable().describe('The token’s sequence number at the first point.'),
    toSeq: z.int().nullable().describe('At the last one.'),
    from: time.nullable().describe('When the first trade happened.'),
    to: time.nullable().describe('When the last one did.'),
    points: z.array(point),
    mine: z
      .object({ boughtMs: ms.nullable(), soldMs: ms.nullable(), strip, percent })
      .nullable()
      .describe('One’s own play.'),
    hold: percent.describe('Bought at the first point and held to the end.'),
    best: z.object({ percent, boughtMs: ms.nullable(), soldMs: ms.nullable() }).describe('Nobody could do better.'),
    bots: z
      .array(z.object({ userId, username: z.string(), percent }))
      .describe('Bots of the house that traded in this stretch, best first, at most three.'),
    players: z
      .object({
        count: z.int(),
        beaten: z.int().describe('How many of them did worse; 0 without a play of one’s own.'),
        median: percent.nullable(),
      })
      .describe('Other accounts that have finished this tape.'),
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
    .describe('How many points have been seen; later ones come first.'),
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
      'Today’s tape: three minutes of a token’s past, the same for everybody, and one’s own play, streak and days.',
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
    summary: 'Begins today’s play, or answers the one that was begun; a guest is known by a cookie.',
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
    summary: 'Buys at the last price shown, by the server’s clock; the second time, or after the end, nothing changes.',
    errors: ['TAPE_NOT_FOUND'],
    example: { input: { id: ID }, answer: { ...PLAY, boughtMs: 4_000 } },
  }),
  sell: mutation({
    access: 'guestOrPlayer',
    input: playInput,
    output: play,
    rest: 'POST /api/tape/plays/{id}/sell',
    operationId: 'sellOnTape',
    summary: 'Sells at the last price shown, which ends the play; before a buy, or after the end, nothing changes.',
    errors: ['TAPE_NOT_FOUND'],
    example: { input: { id: ID }, answer: { ...PLAY, boughtMs: 1_000, soldMs: 4_000, isOver: true } },
  }),
  /** The play as it goes on, with the points since the last event; resumes after as many points as the client saw. */
  follow: subscription({ access: 'anyone', input: followInput, output: play }),
  result: query({
    access: 'guestOrPlayer',
    apiKey: 'market',
    input: z.object({ day: z.iso.date('must be a day, such as 2026-01-05') }),
    output: tapeResult,
    rest: 'GET /api/tape/{day}',
    operationId: 'getTapeResult',
    summary: 'What a tape was and how everybody did: of today after one’s own play, of earlier days at any time.',
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
