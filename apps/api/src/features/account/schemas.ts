import { z } from 'zod'
import { accountEventKinds } from '../../security/accounts/events.ts'

export const resetResult = z
  .object({
    granted: z.string().describe('SOL that the account was topped up by.'),
    balance: z.string().describe('The player’s SOL now.'),
    netWorth: z
      .string()
      .describe('Balance, the SOL in one’s own open pools, and the cash-out value of all other holdings.'),
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

export const deletionAsked = z
  .object({
    deletionDueAt: z.iso.datetime().describe('When the account is deleted; until then it can be undone.'),
  })
  .meta({ id: 'AccountDeletion' })
export type DeletionAsked = z.output<typeof deletionAsked>

export const deletionUndone = z.object({ ok: z.literal(true) })
export type DeletionUndone = z.output<typeof deletionUndone>

const EVENTS_PAGE_MAX = 100

export const listEventsInput = z.object({
  limit: z.int().min(1).max(EVENTS_PAGE_MAX).default(50),
  cursor: z
    .string()
    .max(40)
    .optional()
    .describe('Where the page before ended: its `nextCursor`; over REST, the Link header has the whole address.'),
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
