import { z } from 'zod'
import { DONE, TRADED_AT } from './example-market.ts'
import { mutation, query } from './procedure.ts'
import { decimal, ok, pageCursor } from './shapes.ts'
import { words } from './words.ts'

/** The kinds of account events. Each has a sentence in the web's `event-text.ts` and in docs/operations/moderate.md. */
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
    granted: decimal.describe('SOL that the account was topped up by.'),
    balance: decimal.describe('The player’s SOL now.'),
    netWorth: decimal.describe(
      'Balance, the SOL in one’s own open pools, and the cash-out value of all other holdings.',
    ),
  })
  .meta({ id: 'AccountReset' })
export type ResetResult = z.output<typeof resetResult>

export const declareBotInput = z.object({
  isBot: z.boolean().describe('Whether the account is a bot: true to declare it, false when a person plays again.'),
})
export type DeclareBotInput = z.output<typeof declareBotInput>
export const botDeclared = z.object({ isBot: z.boolean() }).meta({ id: 'BotDeclaration' })
export type BotDeclared = z.output<typeof botDeclared>

export const exportReady = z
  .object({
    url: z.string().describe('Where this session downloads the file: a GET with its cookie.'),
    expiresAt: z.iso.datetime().describe('Until then the download may begin.'),
  })
  .meta({ id: 'AccountExport' })
export type ExportReady = z.output<typeof exportReady>

export const askDeletionInput = z.object({
  keepPosts: z.boolean().default(false).describe('Posts stay, as those of a deleted player, instead of being erased.'),
})
export type AskDeletionInput = z.output<typeof askDeletionInput>

export const deletionAsked = z
  .object({
    deletionDueAt: z.iso.datetime().describe('When the account is deleted; until then it can be undone.'),
  })
  .meta({ id: 'AccountDeletion' })
export type DeletionAsked = z.output<typeof deletionAsked>

export type DeletionUndone = z.output<typeof ok>

const EVENTS_PAGE_MAX = 100

export const listEventsInput = z.object({
  limit: z.int().min(1).max(EVENTS_PAGE_MAX).default(50),
  cursor: pageCursor(40),
  direction: z.literal('forward').optional().describe('What clients of endless lists add: there is no way back.'),
})
export type ListEventsInput = z.output<typeof listEventsInput>

export const accountEvent = z
  .object({
    id: z.int(),
    kind: z.string().describe(`What happened: ${accountEventKinds.join(', ')}; more may come.`),
    at: z.iso.datetime().describe('When it happened; the last time where `times` is above 1.'),
    times: z.int().describe('How often: refused sign-ins of an hour, for one, are a single event.'),
    address: z.string().nullable().describe('Where the request came from; null for the operator or the server itself.'),
    browser: z.string().nullable().describe('What it said it was, in words.'),
    detail: z
      .record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()]))
      .describe('Short facts, such as the name of a key.'),
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
    summary: 'What happened to one’s account in the last 90 days, the newest first.',
    example: {
      answer: [
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
      'Declares the account as a bot, or that a person plays again. Whoever was a bot at any moment of a giveaway window cannot win it.',
    example: { input: { isBot: true }, answer: { isBot: true } },
  }),
  prepareExport: mutation({
    whenSuspended: 'allowed',
    output: exportReady,
    rest: 'POST /api/account/export',
    operationId: 'prepareAccountExport',
    summary:
      'Where this session downloads everything that is stored about its player, within ten minutes; five times a day.',
    errors: ['CONFIRMATION_NEEDED'],
    example: {
      answer: {
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
    summary: 'Lets one’s account be deleted seven days from now; until then it can be undone.',
    errors: ['CONFIRMATION_NEEDED'],
    example: { input: { keepPosts: false }, answer: { deletionDueAt: '2026-03-08T12:00:00.000Z' } },
  }),
  undoDeletion: mutation({
    whenSuspended: 'allowed',
    output: ok,
    rest: 'DELETE /api/account/deletion',
    operationId: 'undoAccountDeletion',
    summary: 'Keeps an account that was to be deleted.',
    example: { answer: DONE },
  }),
  reset: mutation({
    apiKey: 'reset',
    output: resetResult,
    rest: 'POST /api/account/reset',
    operationId: 'resetAccount',
    summary: 'Tops up a player with a net worth under 10 SOL so that it is 100, once a day.',
    errors: ['NET_WORTH_TOO_HIGH', 'RESET_TOO_SOON', 'BUSY'],
    example: { answer: { granted: '92.5', balance: '99', netWorth: '100' } },
  }),
}
