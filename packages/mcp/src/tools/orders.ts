import { randomUUID } from 'node:crypto'
import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js'
import { Decimal } from '@papermoon/amm'
import { isPapermoonError, repeatUntilAnswered } from '@papermoon/client'
import { z } from 'zod'
import { amount, ORDERS, type Papermoon, refuse, runTool, text, tokenId } from './tool.ts'

/**
 * How long the tool repeats an order, in ms. Hosts wait a minute for a tool, so the model still has time to ask for the
 * outcome after this time.
 */
const REPEAT_MS = 30_000

const requestId = text
  .optional()
  .describe(
    'To repeat an order that got no response, send the requestId from its error. The order is placed at most once. For a new order, omit requestId.',
  )

const dryRun = z.boolean().optional().describe('If true, checks the order and returns its result without placing it.')

const confirm = z
  .boolean()
  .optional()
  .describe('Send true only if the owner accepts less than half of the amount that the order would pay now.')

/** Registers the tools that place orders. Papermoon enforces the key's scopes and spending limit. */
export function registerOrderTools(server: McpServer, api: Papermoon): void {
  server.registerTool(
    'buy',
    {
      title: 'Buy tokens',
      description: 'Buys tokens for SOL with the key’s account. First get a quote, then pass its minTokensOut.',
      inputSchema: z.strictObject({
        tokenId,
        solAmount: amount.describe('SOL to pay, including the fee.'),
        minTokensOut: amount.describe('The order fails if it would pay fewer tokens than this.'),
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
      description: 'Sells tokens for SOL with the key’s account. First get a quote, then pass its minSolOut.',
      inputSchema: z.strictObject({
        tokenId,
        tokenAmount: amount.describe('Number of tokens to sell.'),
        minSolOut: amount.describe('The order fails if it would pay less SOL than this after the fee.'),
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
          .describe('Forbids the rug pull for this long. With bag, also forbids selling the first buy.'),
        fairId: z.int().min(2).optional().describe('Id of the fair to launch in, with SOL of the fair.'),
        dryRun,
        requestId,
      }),
      annotations: ORDERS,
    },
    (input) => place(input, (order) => api.tokens.launch.mutate(order)),
  )
  registerWaitingTools(server, api)
}

const link = text.optional().describe('URL of the token’s page on another site.')
const price = amount.optional()

function registerWaitingTools(server: McpServer, api: Papermoon): void {
  server.registerTool(
    'place_waiting_order',
    {
      title: 'Place a waiting order',
      description:
        'Places an order that waits for a price for at most 30 days and fills right after the trade that reaches the price. SOL and tokens stay free until the order fills. buy and sale are limit orders. stop sells when the price has fallen. bracket is a sale at a target price with a stop.',
      inputSchema: z.strictObject({
        tokenId,
        kind: z.enum(['buy', 'sale', 'stop', 'bracket']),
        solAmount: amount.optional().describe('For a buy, the maximum SOL to pay.'),
        tokenAmount: amount.optional().describe('For other kinds, the number of tokens to sell.'),
        price: price.describe(
          'Limit price in SOL per token, including the fee. The order never trades at a worse price. Required unless kind is stop.',
        ),
        stopPrice: price.describe('For a stop or bracket, the spot price at or below which the order sells.'),
        leastPrice: z
          .union([z.literal('any'), amount])
          .optional()
          .describe(
            'For a stop or bracket, the limit price of the sale. any means no limit. The default is 10 % below stopPrice.',
          ),
        lasts: z
          .enum(['hour', 'day', 'week', 'month'])
          .optional()
          .describe('How long the order stays open. The default is month.'),
        replaces: z.int().positive().optional().describe('Id of the waiting order to replace.'),
        replacesFills: z
          .int()
          .min(0)
          .optional()
          .describe('Number of fills of the replaced order that you have seen. Fails if that order has more fills.'),
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
      description:
        'Cancels waiting orders of the key owner. Send ids to cancel some orders, tokenId to cancel all orders of a token, or neither to cancel all orders.',
      inputSchema: z.strictObject({ tokenId: tokenId.optional(), ids: z.array(z.int().positive()).max(50).optional() }),
      annotations: ORDERS,
    },
    (input) => runTool(() => api.waitingOrders.cancel.mutate(input)),
  )
}

/**
 * Returns the amount that an order would pay now, or null if the server rejects the quote, because a repeat of a placed
 * order can still succeed.
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
 * Places an order with a new idempotency key. The tool repeats the order with this key until the server responds.
 * Returns the response and the key.
 */
async function place<Input extends { requestId?: string | undefined }>(
  input: Input,
  send: (order: Keyed<Input>) => Promise<object>,
): Promise<CallToolResult> {
  const key = input.requestId ?? randomUUID()
  const result = await runTool(async () => {
    const placed = await repeatUntilAnswered(() => send({ ...input, requestId: key }), { giveUpAfterMs: REPEAT_MS })
    return { requestId: key, ...placed }
  })
  if (result.isError !== true) return result
  return { ...result, content: [...result.content, { type: 'text', text: `requestId: ${key}` }] }
}
