import { z } from 'zod'
import { DONE, TRADED_AT } from './example-market.ts'
import { positiveId } from './ids.ts'
import { mutation, query } from './procedure.ts'
import { ok } from './shapes.ts'
import { talkText } from './text.ts'

export const REPORT_KINDS = ['post', 'token', 'name', 'picture'] as const
export const REPORT_REASONS = ['spam', 'abuse', 'hate', 'sexual', 'scam', 'other'] as const
export const APPEAL_DAYS = 30
const WORDS_MAX = 500

const id = positiveId
const kind = z.enum(REPORT_KINDS, { error: `must be one of ${REPORT_KINDS.join(', ')}` })
const reason = z.enum(REPORT_REASONS, { error: `must be one of ${REPORT_REASONS.join(', ')}` })

export const reportInput = z.object({
  kind,
  id: id.describe('Id of the post or token, or of the player whose name or picture you report.'),
  reason: reason.describe('The reason for the report.'),
  note: talkText(WORDS_MAX).optional().describe('Further information for the moderator.'),
})
export type ReportInput = z.output<typeof reportInput>

export const ownReport = z
  .object({
    kind,
    id,
    reason: reason.describe('The reason that you gave.'),
    at: z.iso.datetime(),
    outcome: z.string().nullable().describe('The decision, or null if there is no decision yet.'),
  })
  .meta({ id: 'OwnReport' })
export type OwnReport = z.output<typeof ownReport>

/** A moderation decision about the player, without the moderators' names. */
export const ownAct = z
  .object({
    id,
    at: z.iso.datetime(),
    act: z
      .string()
      .describe('The decision: hide, delete, warn, mute or suspend, or the undoing of an earlier decision.'),
    reason: z.string().describe('The moderator’s reason.'),
    words: z.string().describe('The text that the decision is about.'),
    isUndone: z.boolean().describe('Whether the decision was undone.'),
    appeal: z
      .enum(['open', 'granted', 'refused'])
      .nullable()
      .describe('Your appeal, or null if you have not appealed.'),
    appealsUntil: z.iso.datetime().describe('Time until which you can appeal.'),
  })
  .meta({ id: 'OwnAct' })
export type OwnAct = z.output<typeof ownAct>

export const appealInput = z.object({
  id,
  words: talkText(WORDS_MAX).describe('Why you think that the decision is wrong.'),
})
export type AppealInput = z.output<typeof appealInput>

export const reportsProcedures = {
  report: mutation({
    whenSuspended: 'allowed',
    limit: 'talk-report',
    input: reportInput,
    output: ok,
    rest: 'POST /api/reports',
    operationId: 'report',
    status: 201,
    summary: 'Reports a post, a token, or a player’s name or picture. Reporting the same thing twice has no effect.',
    errors: ['POST_NOT_FOUND', 'TOKEN_NOT_FOUND', 'NOT_FOUND'],
    example: { input: { kind: 'token', id: 7, reason: 'spam' }, response: DONE },
  }),
  mine: query({
    apiKey: 'never',
    output: z.array(ownReport),
    rest: 'GET /api/reports',
    operationId: 'listReports',
    summary: 'Lists your last 100 reports and the decisions about them.',
    example: { response: [{ kind: 'post', id: 12, reason: 'spam', at: TRADED_AT, outcome: null }] },
  }),
  acts: query({
    apiKey: 'never',
    output: z.array(ownAct),
    rest: 'GET /api/reports/acts',
    operationId: 'listActs',
    summary: 'Lists the moderators’ decisions about you.',
    example: {
      response: [
        {
          id: 3,
          at: TRADED_AT,
          act: 'hide',
          reason: 'Spam',
          words: 'Buy my token',
          isUndone: false,
          appeal: null,
          appealsUntil: '2026-03-31T12:05:00.000Z',
        },
      ],
    },
  }),
  appeal: mutation({
    whenSuspended: 'allowed',
    limit: 'talk-report',
    input: appealInput,
    output: ok,
    rest: 'POST /api/reports/acts/{id}/appeal',
    operationId: 'appeal',
    summary: 'Appeals against a decision. You can appeal once, within 30 days. Another moderator decides the appeal.',
    errors: ['NOT_FOUND', 'APPEAL_TOO_LATE'],
    example: { input: { id: 3, words: 'I said it once' }, response: DONE },
  }),
}
