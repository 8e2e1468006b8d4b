import { z } from 'zod'
import { DONE, TRADED_AT } from './example-market.ts'
import { mutation, query } from './procedure.ts'
import { decimal, ok, pageCursor } from './shapes.ts'
import { words } from './words.ts'

/**
 * Kinds of account events. Each kind has a sentence in the web app's `event-text.ts` and in
 * docs/operations/moderate.md.
 */
export const accountEventKinds = words(
  'registered signed_in sign_in_refused signed_out session_ended logged_out_by_operator password_changed',
  'reset_requested reset_refused password_reset email_change_asked email_changed email_verified wallet_changed',
  'bot_declared bot_withdrawn key_made key_revoked webhook_added webhook_removed webhook_secret_changed',
  'webhook_stopped totp_enabled totp_disabled passkey_added passkey_removed recovery_code_used',
  'recovery_codes_made warned suspended unsuspended export_made deletion_asked deletion_undone deleted',
)
export type AccountEventKind = (typeof accountEventKinds)[number]

export const resetResult = z
  .object({
    granted: decimal.describe('SOL added to the account.'),
    balance: decimal.describe('SOL balance after the reset.'),
    netWorth: decimal.describe(
      'Net worth in SOL: balance, SOL in your own open pools, and cash-out value of other holdings.',
    ),
  })
  .meta({ id: 'AccountReset' })
export type ResetResult = z.output<typeof resetResult>

export const declareBotInput = z.object({
  isBot: z.boolean().describe('true for a bot account.'),
})
export type DeclareBotInput = z.output<typeof declareBotInput>
export const botDeclared = z.object({ isBot: z.boolean() }).meta({ id: 'BotDeclaration' })
export type BotDeclared = z.output<typeof botDeclared>

export const exportReady = z
  .object({
    url: z.string().describe('URL of the file. Download the file with GET and this session’s cookie.'),
    expiresAt: z.iso.datetime().describe('The download must begin before this time.'),
  })
  .meta({ id: 'AccountExport' })
export type ExportReady = z.output<typeof exportReady>

export const askDeletionInput = z.object({
  keepPosts: z
    .boolean()
    .default(false)
    .describe('true keeps the posts under the name of a deleted player. false deletes them.'),
})
export type AskDeletionInput = z.output<typeof askDeletionInput>

export const deletionAsked = z
  .object({
    deletionDueAt: z.iso
      .datetime()
      .describe('When the account will be deleted. You can cancel the deletion until then.'),
  })
  .meta({ id: 'AccountDeletion' })
export type DeletionAsked = z.output<typeof deletionAsked>

export type DeletionUndone = z.output<typeof ok>

const EVENTS_PAGE_MAX = 100

export const listEventsInput = z.object({
  limit: z.int().min(1).max(EVENTS_PAGE_MAX).default(50),
  cursor: pageCursor(40),
  direction: z.literal('forward').optional().describe('The server ignores this parameter.'),
})
export type ListEventsInput = z.output<typeof listEventsInput>

export const accountEvent = z
  .object({
    id: z.int(),
    kind: z.string().describe(`What happened: ${accountEventKinds.join(', ')}. More types may be added.`),
    at: z.iso.datetime().describe('When the event last happened.'),
    times: z.int().describe('How often the event happened. Refused logins within an hour count as one event.'),
    address: z
      .string()
      .nullable()
      .describe('IP address of the request, or null if the operator or the server caused the event.'),
    browser: z
      .string()
      .nullable()
      .describe('Browser and operating system, as reported by the browser. Null if unknown.'),
    detail: z
      .record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()]))
      .describe('More details, such as the name of a key.'),
  })
  .meta({ id: 'AccountEvent' })

export const accountEvents = z.object({
  events: z.array(accountEvent),
  nextCursor: z.string().nullable(),
})
export type AccountEvents = z.output<typeof accountEvents>

export const accountProcedures = {
  events: query({
    apiKey: 'never',
    input: listEventsInput,
    output: accountEvents,
    rest: 'GET /api/account/events',
    operationId: 'listAccountEvents',
    list: 'events',
    summary: 'Lists your account’s events of the last 90 days, newest first.',
    example: {
      response: [
        {
          id: 12,
          kind: 'signed_in',
          at: TRADED_AT,
          times: 1,
          address: '203.0.113.7',
          browser: 'Firefox 128 on Linux',
          detail: { by: 'password' },
        },
      ],
    },
  }),
  declareBot: mutation({
    limit: 'launch',
    input: declareBotInput,
    output: botDeclared,
    rest: 'PUT /api/account/bot',
    operationId: 'declareBot',
    summary:
      'Declares whether a bot or a person plays with the account. An account that was a bot at any time in a giveaway window cannot win that giveaway.',
    example: { input: { isBot: true }, response: { isBot: true } },
  }),
  prepareExport: mutation({
    whenSuspended: 'allowed',
    output: exportReady,
    rest: 'POST /api/account/export',
    operationId: 'prepareAccountExport',
    summary:
      'Returns a link to download all data stored about you. The link works in this session only, for ten minutes. You can request a link five times a day.',
    errors: ['CONFIRMATION_NEEDED'],
    example: {
      response: {
        url: '/exports/account.json?expires=1772366400000&seal=3q2-7wAAAAB1c2VyIDMgc2F5cyB5ZXMAAAAAAAAAAAAAAAA',
        expiresAt: '2026-03-01T12:00:00.000Z',
      },
    },
  }),
  askDeletion: mutation({
    whenSuspended: 'allowed',
    input: askDeletionInput,
    output: deletionAsked,
    rest: 'POST /api/account/deletion',
    operationId: 'requestAccountDeletion',
    summary: 'Schedules your account’s deletion in seven days. You can cancel the deletion until then.',
    errors: ['CONFIRMATION_NEEDED'],
    example: { input: { keepPosts: false }, response: { deletionDueAt: '2026-03-08T12:00:00.000Z' } },
  }),
  undoDeletion: mutation({
    whenSuspended: 'allowed',
    output: ok,
    rest: 'DELETE /api/account/deletion',
    operationId: 'undoAccountDeletion',
    summary: 'Cancels the scheduled deletion of your account.',
    example: { response: DONE },
  }),
  reset: mutation({
    apiKey: 'reset',
    output: resetResult,
    rest: 'POST /api/account/reset',
    operationId: 'resetAccount',
    summary: 'Tops up your net worth to 100 SOL, once a day. Fails if your net worth is 10 SOL or more.',
    errors: ['NET_WORTH_TOO_HIGH', 'RESET_TOO_SOON', 'BUSY'],
    example: { response: { granted: '92.5', balance: '99', netWorth: '100' } },
  }),
}
