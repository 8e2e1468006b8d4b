import { z } from 'zod'
import { positiveId, userId } from './ids.ts'
import { mutation, query } from './procedure.ts'
import { REPORT_KINDS, REPORT_REASONS } from './reports.ts'
import { searchInput } from './search.ts'
import { time } from './shapes.ts'
import { ANNOUNCEMENT_MAX } from './site.ts'
import { talkText } from './text.ts'
import { time as moment } from './times.ts'

/** Durations of a mute, in minutes. */

export const MUTE_MINUTES = [60, 1_440, 10_080] as const
export const DECISIONS = ['hide', 'delete', 'release', 'warn', 'mute', 'suspend', 'dismiss'] as const
const REASON_MAX = 280
export const CASES_PAGE = 50

const id = positiveId
const reasonText = talkText(REASON_MAX).describe('Reason shown to the player.')
const player = z.object({ id: userId, username: z.string() })

export const moderationCase = z
  .object({
    id,
    kind: z.enum(REPORT_KINDS),
    targetId: id,
    accused: player.nullable(),
    fairId: z.int().nullable(),
    words: z.string(),
    heldFor: z.string().nullable(),
    reports: z.int(),
    reasons: z.array(z.object({ reason: z.enum(REPORT_REASONS), note: z.string().nullable() })),
    openedAt: time,
    outcome: z.string().nullable(),
    context: z.array(z.string()).describe('The posts around it, oldest first.'),
    acts: z.int().describe('Number of earlier decisions about this player that are in force.'),
    accountAgeDays: z.int().nullable(),
  })
  .meta({ id: 'Case' })
export type ModerationCase = z.output<typeof moderationCase>
export const casesPage = z.object({ cases: z.array(moderationCase), open: z.int() })
export type CasesPage = z.output<typeof casesPage>

const muteMinutes = z
  .union(
    MUTE_MINUTES.map((minutes) => z.literal(minutes)),
    { error: `must be one of ${MUTE_MINUTES.join(', ')}` },
  )
  .optional()
  .describe('Duration of a mute, in minutes; only with `act` mute.')
const minutesOfMute = [
  ({ act, minutes }: { act: string; minutes?: number | undefined }) => (act === 'mute') === (minutes !== undefined),
  { message: 'must be given for a mute, and only then', path: ['minutes'] as string[] },
] as const

export const decideInput = z
  .object({
    caseId: id,
    act: z.enum(DECISIONS, { error: `must be one of ${DECISIONS.join(', ')}` }),
    minutes: muteMinutes,
    reason: reasonText,
  })
  .refine(...minutesOfMute)
export type DecideInput = z.output<typeof decideInput>

export const undoInput = z.object({ id, reason: reasonText })
export type UndoInput = z.output<typeof undoInput>
export const decided = z.object({ logId: id }).meta({ id: 'Decided' })
export type Decided = z.output<typeof decided>

export const logEntry = z
  .object({
    id,
    at: time,
    actor: player.nullable(),
    asRole: z.string(),
    act: z.string(),
    kind: z.string(),
    targetId: z.int(),
    concerned: player.nullable(),
    caseId: z.int().nullable(),
    undoes: z.int().nullable(),
    isUndone: z.boolean(),
    detail: z.string(),
    words: z.string().nullable(),
    reason: z.string().nullable(),
    hash: z.string(),
  })
  .meta({ id: 'LogEntry' })
export type LogEntry = z.output<typeof logEntry>
export const logPage = z.object({
  entries: z.array(logEntry),
  brokenAt: z
    .int()
    .nullable()
    .describe('Id of the first entry whose hash does not match its content; null if all match.'),
})
export type LogPage = z.output<typeof logPage>

export const openAppeal = z
  .object({
    id,
    at: time,
    player,
    words: z.string(),
    act: z.string(),
    reason: z.string().nullable(),
    about: z.string().nullable(),
    isOwn: z.boolean().describe('Whether you made the decision. If so, another moderator must decide the appeal.'),
  })
  .meta({ id: 'OpenAppeal' })
export type OpenAppeal = z.output<typeof openAppeal>
export const answerAppealInput = z.object({ id, isGranted: z.boolean('must be true or false'), reason: reasonText })
export type AnswerAppealInput = z.output<typeof answerAppealInput>

export const findPlayersInput = z.object({ search: searchInput.shape.query })
export const foundPlayer = z
  .object({
    ...player.shape,
    role: z.enum(['player', 'moderator', 'operator']),
    standing: z.enum(['active', 'suspended', 'frozen']),
    createdAt: time,
    mutedUntil: time.nullable(),
    acts: z.int(),
  })
  .meta({ id: 'PlayerRecord' })
export type PlayerRecord = z.output<typeof foundPlayer>

export const roleInput = z.object({
  userId,
  // Only the command line can appoint operators.
  role: z.enum(['player', 'moderator'], { error: 'must be player or moderator' }),
  reason: reasonText,
})
export type RoleInput = z.output<typeof roleInput>

export const announceInput = z.object({
  text: talkText(ANNOUNCEMENT_MAX).nullable().describe('Null removes the announcement.'),
  endsAt: moment.optional(),
})
export type AnnounceInput = z.output<typeof announceInput>

/** Limits that an operator can lower during an attack, by the ids in the moderation log. */
export const MODERATION_BOUNDS = {
  accountPosts: { id: 1, title: 'Posts of one account per minute', usual: 12, min: 1, max: 60 },
  newAccountPosts: { id: 2, title: 'Posts of one new account per ten minutes', usual: 10, min: 1, max: 100 },
  newAccountHours: { id: 3, title: 'Hours that an account counts as new', usual: 24, min: 1, max: 720 },
  sameWords: {
    id: 4,
    title: 'Others who can post the same text in an hour before it is held',
    usual: 2,
    min: 1,
    max: 50,
  },
  accountReports: { id: 5, title: 'Reports of one account per hour', usual: 40, min: 1, max: 400 },
} as const
export type BoundName = keyof typeof MODERATION_BOUNDS
const bound = z.enum(Object.keys(MODERATION_BOUNDS) as BoundName[], {
  error: `must be one of ${Object.keys(MODERATION_BOUNDS).join(', ')}`,
})
export const boundInForce = z.object({
  bound,
  title: z.string(),
  value: z.int(),
  usual: z.int(),
  min: z.int(),
  max: z.int(),
})
export type BoundInForce = z.output<typeof boundInForce>
export const setBoundInput = z
  .object({ bound, value: z.int('must be a whole number'), reason: reasonText })
  .superRefine((input, { addIssue }) => {
    const { min, max } = MODERATION_BOUNDS[input.bound]
    if (input.value < min || input.value > max)
      addIssue({ code: 'custom', path: ['value'], message: `must be from ${min} to ${max}` })
  })
export type SetBoundInput = z.output<typeof setBoundInput>

const word = talkText(40)
export const wordsInput = z.object({ word, isHeld: z.boolean('must be true or false') })
export type WordsInput = z.output<typeof wordsInput>

/** Actions that a moderator can take against a player without a case. */
export const PLAYER_ACTS = ['note', 'warn', 'mute', 'suspend', 'unsuspend'] as const
export const playerActInput = z
  .object({
    userId,
    act: z.enum(PLAYER_ACTS, { error: `must be one of ${PLAYER_ACTS.join(', ')}` }),
    minutes: muteMinutes,
    reason: reasonText,
  })
  .refine(...minutesOfMute)
export type PlayerActInput = z.output<typeof playerActInput>

const line = z.object({ title: z.string(), note: z.string() })
export type Line = z.output<typeof line>
/** A line of a health report. The line says whether a part of the server works or needs attention. */
const finding = line.extend({ isGood: z.boolean() })
export type Finding = z.output<typeof finding>
/**
 * Kinds of private player data that only operators can see: sessions, API keys and webhooks, SOL grants, accounts in
 * the same browsers.
 */
export const LOOKS = ['sessions', 'keys', 'grants', 'sources'] as const
export const lookInput = z.object({
  userId,
  at: z.enum(LOOKS, { error: `must be one of ${LOOKS.join(', ')}` }),
  reason: reasonText,
})
export type LookInput = z.output<typeof lookInput>

export const foundThing = z.object({ id, title: z.string(), note: z.string(), state: z.string() })
export type FoundThing = z.output<typeof foundThing>
export const hideTokenInput = z.object({
  tokenId: id,
  isHidden: z.boolean('must be true or false'),
  reason: reasonText,
})
export type HideTokenInput = z.output<typeof hideTokenInput>
export const endFairInput = z.object({
  fairId: id.min(2, 'must be above 1'),
  isVoid: z.boolean('must be true or false').describe('Whether the fair is void, so its results do not count.'),
  reason: reasonText,
})
export type EndFairInput = z.output<typeof endFairInput>

export const adminProcedures = {
  me: query({
    role: 'moderator',
    output: z.object({ role: z.enum(['moderator', 'operator']), open: z.int() }),
  }),
  cases: query({ role: 'moderator', output: casesPage }),
  decide: mutation({ role: 'moderator', input: decideInput, output: decided }),
  undo: mutation({ role: 'moderator', input: undoInput, output: decided }),
  appeals: query({ role: 'moderator', output: z.array(openAppeal) }),
  answerAppeal: mutation({ role: 'moderator', input: answerAppealInput, output: decided }),
  findPlayers: query({ role: 'moderator', input: findPlayersInput, output: z.array(foundPlayer) }),
  log: query({ role: 'operator', input: z.object({ before: id.optional() }), output: logPage }),
  words: query({ role: 'operator', output: z.array(z.string()) }),
  setWord: mutation({ role: 'operator', input: wordsInput, output: decided }),
  setRole: mutation({ role: 'operator', input: roleInput, output: decided }),
  playerLog: query({
    role: 'moderator',
    input: z.object({ userId }),
    output: z.array(logEntry),
  }),
  act: mutation({ role: 'moderator', input: playerActInput, output: decided }),
  // This procedure is a mutation, because the server logs each read of private data.
  look: mutation({ role: 'operator', input: lookInput, output: z.array(line) }),
  findTokens: query({ role: 'moderator', input: findPlayersInput, output: z.array(foundThing) }),
  hideToken: mutation({ role: 'moderator', input: hideTokenInput, output: decided }),
  fairs: query({ role: 'operator', output: z.array(foundThing) }),
  endFair: mutation({ role: 'operator', input: endFairInput, output: decided }),
  settings: query({ role: 'operator', output: z.array(line) }),
  bounds: query({ role: 'operator', output: z.array(boundInForce) }),
  setBound: mutation({ role: 'operator', input: setBoundInput, output: decided }),
  announce: mutation({ role: 'operator', input: announceInput, output: decided }),
  health: query({ role: 'operator', output: z.array(finding) }),
}
