import { randomUUID } from 'node:crypto'
import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js'
import { Decimal } from '@papermoon/amm'
import { isPapermoonError, repeatUntilAnswered } from '@papermoon/client'
import { z } from 'zod'
import { amount, answer, ORDERS, type Papermoon, refuse, text, tokenId } from './tool.ts'

/**
 * How long an order is repeated, in ms. Hosts wait a minute for a tool, so the model still has time to ask for the
 * outcome.
 */
const REPEAT_MS = 30_000

const requestId = text
  .optional()
  .describe(
    'Only to repeat an order that got no answer: the requestId from its error. It is placed at most once. Omit it for a new order.',
  )

const dryRun = z.boolean().optional().describe('Checks the order and returns what it would do, without placing it.')

const confirm = z
  .boolean()
  .optional()
  .describe('true only if the owner accepts less than half of what the order would pay now.')

/** Registers the tools that place orders. Papermoon enforces the key's scopes and spending limit. */
export function registerOrderTools(server: McpServer, api: Papermoon): void {
  server.registerTool(
    'buy',
    {
      title: 'Buy tokens',
      description: 'Buys tokens for SOL with the key’s account. Quote first and pass the quote’s minTokensOut.',
      inputSchema: z.strictObject({
        tokenId,
        solAmount: amount.describe('SOL to pay, with the fee.'),
        minTokensOut: amount.describe('Refuses the order if it would pay fewer tokens.'),
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
        minSolOut: amount.describe('Refuses the order if it would pay less SOL, after the fee.'),
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
      description: 'Launches a token for 0.02 SOL, with an optional first buy.',
      inputSchema: z.strictObject({
        name: text,
        symbol: text,
        emoji: text.optional(),
        description: text.optional(),
        website: link,
        x: link,
        telegram: link,
        initialBuyAmount: amount.optional().describe('SOL for the first buy, in the same transaction.'),
        seal: z
          .strictObject({ term: z.enum(['hour', 'day', 'week', 'ever']), bag: z.boolean().optional() })
          .optional()
          .describe('The owner cannot pull the rug for this long. With bag, they cannot sell the first buy either.'),
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

const link = text.optional().describe('URL of the token.')
const price = amount.optional()

function registerWaitingTools(server: McpServer, api: Papermoon): void {
  server.registerTool(
    'place_waiting_order',
    {
      title: 'Place a waiting order',
      description:
        'Places an order that waits for a price, up to 30 days, and fills right after the trade that reaches it. SOL and tokens stay free until then. buy and sale are limit orders; stop sells once the price has fallen; bracket is a sale at a target price with a stop.',
      inputSchema: z.strictObject({
        tokenId,
        kind: z.enum(['buy', 'sale', 'stop', 'bracket']),
        solAmount: amount.optional().describe('Buy: max SOL to pay.'),
        tokenAmount: amount.optional().describe('Other kinds: tokens to sell.'),
        price: price.describe(
          'Limit in SOL per token, with the fee: it never trades at a worse price. Required except for a stop.',
        ),
        stopPrice: price.describe('Stop or bracket: sells once the price is at or below this.'),
        leastPrice: z
          .union([z.literal('any'), amount])
          .optional()
          .describe('Stop or bracket: limit price of its sale; any: none. Default: 10 % below stopPrice.'),
        lasts: z.enum(['hour', 'day', 'week', 'month']).optional().describe('Max time that it waits. Default: month.'),
        replaces: z.int().positive().optional().describe('Id of the waiting order to replace.'),
        replacesFills: z
          .int()
          .min(0)
          .optional()
          .describe('Fills of that order that you know of. Fails if it has more.'),
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
      title: 'Cancel waiting orders',
      description: 'Cancels the key owner’s waiting orders: those with these ids, or all, or all of one token.',
      inputSchema: z.strictObject({ tokenId: tokenId.optional(), ids: z.array(z.int().positive()).max(50).optional() }),
      annotations: ORDERS,
    },
    (input) => answer(() => api.waitingOrders.cancel.mutate(input)),
  )
}

/**
 * Returns what an order would pay now. Returns null if the server rejects the quote, because a repeat of a placed order
 * can still succeed.
 */
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
    `CONFIRMATION_NEEDED: ${name} is under half of what the order would pay now, ${quoted}. The order was not placed. Quote again, or ask the owner and pass confirm.`,
  )
}

type Keyed<Input> = Omit<Input, 'requestId'> & { readonly requestId: string }

/**
 * Places an order with a new idempotency key, and repeats the order with that key until the server responds. Returns
 * the key, too.
 */
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
