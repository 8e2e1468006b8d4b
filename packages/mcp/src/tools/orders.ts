import { randomUUID } from 'node:crypto'
import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js'
import { Decimal } from '@papermoon/amm'
import { isPapermoonError, repeatUntilAnswered } from '@papermoon/client'
import { z } from 'zod'
import { amount, answer, ORDERS, type Papermoon, refuse, text, tokenId } from './tool.ts'

/** Hosts wait a minute for a tool; the rest of it is for the model to ask for the order's outcome. */
const REPEAT_MS = 30_000

const requestId = text
  .optional()
  .describe('Only to repeat an order that got no answer: the requestId of its error. A new one is made otherwise.')

const dryRun = z.boolean().optional().describe('Check the order and say what it would do, without placing it.')

const confirm = z
  .boolean()
  .optional()
  .describe('True only if the owner accepts less than half of what the order would bring now.')

/** Tools that place orders. Papermoon enforces the key's scopes and spending limit. */
export function registerOrderTools(server: McpServer, api: Papermoon): void {
  server.registerTool(
    'buy',
    {
      title: 'Buy tokens',
      description: 'Buys tokens for SOL with the key’s account. Quote first and pass the quote’s minTokensOut.',
      inputSchema: z.strictObject({
        tokenId,
        solAmount: amount.describe('SOL to spend, the fee included.'),
        minTokensOut: amount.describe('Refuse the order if it would bring fewer tokens.'),
        confirm,
        dryRun,
        requestId,
      }),
      annotations: ORDERS,
    },
    async ({ confirm: isConfirmed, ...input }) => {
      const { tokenId, solAmount } = input
      const quoted =
        isConfirmed || input.dryRun
          ? null
          : await findQuote(
              async () => (await api.trading.quote.query({ side: 'buy', tokenId, solAmount })).tokenAmount,
            )
      if (isTooLow(input.minTokensOut, quoted)) return askToConfirm('minTokensOut', quoted)
      return await place(input, (order) => api.trading.buy.mutate(order))
    },
  )
  server.registerTool(
    'sell',
    {
      title: 'Sell tokens',
      description: 'Sells tokens for SOL with the key’s account. Quote first and pass the quote’s minSolOut.',
      inputSchema: z.strictObject({
        tokenId,
        tokenAmount: amount.describe('Tokens to sell.'),
        minSolOut: amount.describe('Refuse the order if it would bring less SOL, after the fee.'),
        confirm,
        dryRun,
        requestId,
      }),
      annotations: ORDERS,
    },
    async ({ confirm: isConfirmed, ...input }) => {
      const { tokenId, tokenAmount } = input
      const quoted =
        isConfirmed || input.dryRun
          ? null
          : await findQuote(
              async () => (await api.trading.quote.query({ side: 'sell', tokenId, tokenAmount })).solAmount,
            )
      if (isTooLow(input.minSolOut, quoted)) return askToConfirm('minSolOut', quoted)
      return await place(input, (order) => api.trading.sell.mutate(order))
    },
  )
  server.registerTool(
    'launch',
    {
      title: 'Launch a token',
      description: 'Launches a token for 0.02 SOL and, if asked, buys of it at once.',
      inputSchema: z.strictObject({
        name: text,
        symbol: text,
        emoji: text.optional(),
        description: text.optional(),
        website: link,
        x: link,
        telegram: link,
        initialBuyAmount: amount.optional().describe('SOL to buy of it for in the same transaction.'),
        seal: z
          .strictObject({ term: z.enum(['hour', 'day', 'week', 'ever']), bag: z.boolean().optional() })
          .optional()
          .describe('Rule out a rug pull for that long; with bag, keep the first buy for as long, too.'),
        fairId: z.int().min(2).optional().describe('Launch in this fair, with its SOL.'),
        dryRun,
        requestId,
      }),
      annotations: ORDERS,
    },
    (input) => place(input, (order) => api.tokens.launch.mutate(order)),
  )
  registerWaitingTools(server, api)
}

const link = text.optional().describe('A link of the token.')
const price = amount.optional()

function registerWaitingTools(server: McpServer, api: Papermoon): void {
  server.registerTool(
    'place_waiting_order',
    {
      title: 'Place an order that waits',
      description:
        'Waits for a price, up to 30 days, and is filled right after the trade that reaches it. No money is set aside. buy and sale are limits; stop sells once the price has fallen; bracket is a target (price) and a stop.',
      inputSchema: z.strictObject({
        tokenId,
        kind: z.enum(['buy', 'sale', 'stop', 'bracket']),
        solAmount: amount.optional().describe('Of a buy: SOL to pay at most.'),
        tokenAmount: amount.optional().describe('Of the others: tokens to sell.'),
        price: price.describe(
          'Of all but a stop: the limit in SOL a token, fee included. No token of the order trades at a worse price.',
        ),
        stopPrice: price.describe('Of a stop or bracket: sell once the price is this or less.'),
        leastPrice: z
          .union([z.literal('any'), amount])
          .optional()
          .describe('Of a stop or bracket: the limit of its sale; any: none. Default: 10 % below stopPrice.'),
        lasts: z
          .enum(['hour', 'day', 'week', 'month'])
          .optional()
          .describe('How long it waits at most. Default: month.'),
        replaces: z.int().positive().optional().describe('The id of the waiting order that it takes the place of.'),
        replacesFills: z
          .int()
          .min(0)
          .optional()
          .describe('The fills of that order as you saw them: with more, nothing changes.'),
        dryRun,
        requestId,
      }),
      annotations: ORDERS,
    },
    (input) => place(input, (order) => api.waitingOrders.place.mutate(order)),
  )
  server.registerTool(
    'cancel_waiting_orders',
    {
      title: 'Cancel orders that wait',
      description: 'Cancels the key’s waiting orders: those with these ids, or all, of one token if it is named.',
      inputSchema: z.strictObject({ tokenId: tokenId.optional(), ids: z.array(z.int().positive()).max(50).optional() }),
      annotations: ORDERS,
    },
    (input) => answer(() => api.waitingOrders.cancel.mutate(input)),
  )
}

/** What an order would bring now; null where it would be refused, as its repeat may not be. */
async function findQuote(ask: () => Promise<string>): Promise<string | null> {
  try {
    return await repeatUntilAnswered(ask, { giveUpAfterMs: REPEAT_MS })
  } catch (error) {
    if (isPapermoonError(error)) return null
    throw error
  }
}

function isTooLow(least: string, quoted: string | null): boolean {
  return quoted !== null && new Decimal(least).mul(2).lt(quoted)
}

function askToConfirm(name: string, quoted: string | null): CallToolResult {
  return refuse(
    `CONFIRMATION_NEEDED: ${name} is under half of what the order would bring now, ${quoted}. Nothing was ordered. Quote again, or ask the owner and pass confirm.`,
  )
}

type Keyed<Input> = Omit<Input, 'requestId'> & { readonly requestId: string }

/** Places an order under a key of its own, and repeats it with that key while no answer comes. The answer names the key. */
async function place<Input extends { requestId?: string | undefined }>(
  input: Input,
  send: (order: Keyed<Input>) => Promise<object>,
): Promise<CallToolResult> {
  const key = input.requestId ?? randomUUID()
  const result = await answer(async () => {
    const placed = await repeatUntilAnswered(() => send({ ...input, requestId: key }), { giveUpAfterMs: REPEAT_MS })
    return { requestId: key, ...placed }
  })
  if (result.isError !== true) return result
  return { ...result, content: [...result.content, { type: 'text', text: `requestId: ${key}` }] }
}
