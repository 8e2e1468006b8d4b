import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import type { AppOutputs } from '@papermoon/client'
import { z } from 'zod'
import { quote } from './quote.ts'
import { amount, answer, type Papermoon, READS, refuse, tokenId } from './tool.ts'

/** Tools that read public data. */
export function registerMarketTools(server: McpServer, api: Papermoon): void {
  server.registerTool(
    'list_tokens',
    {
      title: 'Tokens of the market',
      description: 'Lists tokens with price and market cap in SOL. Rugged ones are closed for good and left out.',
      inputSchema: z.strictObject({
        sort: z.enum(['newest', 'oldest', 'mcap-high', 'mcap-low', 'last-trade']).default('mcap-high'),
        search: z.string().max(100).optional().describe('Part of a name or symbol.'),
        limit: z.int().min(1).max(100).default(20),
      }),
      annotations: READS,
    },
    (input) =>
      answer(async () => {
        const { tokens } = await api.tokens.list.query({ ...input, rugged: 'hide' })
        return { tokens: tokens.map(toListed) }
      }),
  )
  server.registerTool(
    'get_token',
    {
      title: 'A token',
      description: 'One token with price, pool, creator and links, and its largest holders.',
      inputSchema: z.strictObject({ tokenId }),
      annotations: READS,
    },
    ({ tokenId: id }) =>
      answer(async () => {
        const [token, holders] = await Promise.all([api.tokens.get.query({ id }), api.tokens.holders.query({ id })])
        return { token, holders }
      }),
  )
  server.registerTool(
    'list_trades',
    {
      title: 'Trades of a token',
      description: 'The newest trades of a token, newest first, at most 50.',
      inputSchema: z.strictObject({ tokenId }),
      annotations: READS,
    },
    ({ tokenId: id }) => answer(async () => ({ trades: await api.tokens.trades.query({ id }) })),
  )
  server.registerTool(
    'leaderboard',
    {
      title: 'Leaderboard',
      description: 'The Top 3 players of the last six hours by profit in SOL, and the bots’ own league.',
      inputSchema: z.strictObject({}),
      annotations: READS,
    },
    () =>
      answer(async () => {
        const [top, bots] = await Promise.all([api.leaderboard.get.query(), api.leaderboard.bots.query()])
        return { top, bots }
      }),
  )
}

/** Result of an order if it ran now. */
export function registerQuoteTool(server: McpServer, api: Papermoon): void {
  server.registerTool(
    'quote',
    {
      title: 'What an order would bring',
      description:
        'What a buy (for SOL) or a sale (of tokens) would bring now, fee included, and the least to accept at a slippage: pass that as minTokensOut or minSolOut.',
      inputSchema: z.strictObject({
        tokenId,
        side: z.enum(['buy', 'sell']),
        solAmount: amount.optional().describe('Of a buy: SOL to spend, the fee included.'),
        tokenAmount: amount.optional().describe('Of a sale: tokens to sell.'),
        amount: amount.optional().describe('Deprecated: solAmount or tokenAmount, whichever the side takes.'),
        slippage: z
          .string()
          .regex(/^0(\.\d{1,6})?$/, 'a fraction from 0 to below 1, such as 0.02')
          .default('0.02'),
      }),
      annotations: READS,
    },
    ({ side, amount: either, ...input }) => {
      const given = (side === 'buy' ? input.solAmount : input.tokenAmount) ?? either
      if (given === undefined) return refuse(`A ${side} takes ${side === 'buy' ? 'solAmount' : 'tokenAmount'}.`)
      return answer(() => quote(api, { ...input, side, amount: given }))
    },
  )
}

function toListed(token: AppOutputs['tokens']['list']['tokens'][number]) {
  const { id, name, symbol, currentPrice, marketCap, priceChange24h, volume24h, createdAt, totalTrades } = token
  return { id, name, symbol, currentPrice, marketCap, priceChange24h, volume24h, createdAt, totalTrades }
}
