import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import type { AppOutputs } from '@papermoon/client'
import { z } from 'zod'
import { quote } from './quote.ts'
import { amount, type Papermoon, READS, refuse, runTool, tokenId } from './tool.ts'

/** Registers the tools that read public data. */
export function registerMarketTools(server: McpServer, api: Papermoon): void {
  server.registerTool(
    'list_tokens',
    {
      title: 'Tokens of the market',
      description:
        'Lists tokens with price and market cap in SOL. Rugged tokens are left out, because nobody can trade them.',
      inputSchema: z.strictObject({
        sort: z.enum(['newest', 'oldest', 'mcap-high', 'mcap-low', 'last-trade']).default('mcap-high'),
        search: z.string().max(100).optional().describe('Part of a name or symbol.'),
        limit: z.int().min(1).max(100).default(20),
      }),
      annotations: READS,
    },
    (input) =>
      runTool(async () => {
        const { tokens } = await api.tokens.list.query({ ...input, rugged: 'hide' })
        return { tokens: tokens.map(toListed) }
      }),
  )
  server.registerTool(
    'get_token',
    {
      title: 'Token',
      description: 'Returns a token with its price, pool, creator, links and largest holders.',
      inputSchema: z.strictObject({ tokenId }),
      annotations: READS,
    },
    ({ tokenId: id }) =>
      runTool(async () => {
        const [token, holders] = await Promise.all([api.tokens.get.query({ id }), api.tokens.holders.query({ id })])
        return { token, holders }
      }),
  )
  server.registerTool(
    'list_trades',
    {
      title: 'Trades of a token',
      description: 'Lists a token’s latest trades, newest first, at most 50.',
      inputSchema: z.strictObject({ tokenId }),
      annotations: READS,
    },
    ({ tokenId: id }) => runTool(async () => ({ trades: await api.tokens.trades.query({ id }) })),
  )
  server.registerTool(
    'leaderboard',
    {
      title: 'Leaderboard',
      description:
        'Returns the three players with the highest profit of the last six hours in SOL, and the ranking of bots.',
      inputSchema: z.strictObject({}),
      annotations: READS,
    },
    () =>
      runTool(async () => {
        const [top, bots] = await Promise.all([api.leaderboard.get.query(), api.leaderboard.bots.query()])
        return { top, bots }
      }),
  )
}

/** Registers the tool that computes an order without placing it. */
export function registerQuoteTool(server: McpServer, api: Papermoon): void {
  server.registerTool(
    'quote',
    {
      title: 'Quote',
      description:
        'Computes the exact amount that a buy or a sale would pay now, after the fee, and the minimum amount at a slippage. Pass this minimum as minTokensOut or minSolOut when you place the order.',
      inputSchema: z.strictObject({
        tokenId,
        side: z.enum(['buy', 'sell']),
        solAmount: amount.optional().describe('For a buy, the SOL to pay, including the fee.'),
        tokenAmount: amount.optional().describe('For a sale, the number of tokens to sell.'),
        amount: amount.optional().describe('Deprecated. Use solAmount or tokenAmount.'),
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
      return runTool(() => quote(api, { ...input, side, amount: given }))
    },
  )
}

function toListed(token: AppOutputs['tokens']['list']['tokens'][number]) {
  const { id, name, symbol, currentPrice, marketCap, priceChange24h, volume24h, createdAt, totalTrades } = token
  return { id, name, symbol, currentPrice, marketCap, priceChange24h, volume24h, createdAt, totalTrades }
}
