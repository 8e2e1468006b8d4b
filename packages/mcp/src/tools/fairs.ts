import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { z } from 'zod'
import { ORDERS, type Papermoon, READS, runTool, text } from './tool.ts'

const RANKING_MAX = 100
const fairId = z.int().min(2).describe('Id of the fair.')

/** Registers the tools that read fairs: markets with their own SOL, tokens, ranking and end. */
export function registerFairTools(server: McpServer, api: Papermoon): void {
  server.registerTool(
    'list_fairs',
    {
      title: 'Fairs',
      description:
        'Lists upcoming, running and the newest ended fairs. A fair is a contest with its own SOL, tokens, ranking and end.',
      inputSchema: z.strictObject({
        limit: z.int().min(1).max(50).default(20).describe('Maximum number of ended fairs.'),
      }),
      annotations: READS,
    },
    ({ limit }) =>
      runTool(async () => {
        const { upcoming, running, ended } = await api.fairs.list.query({ limit })
        return { upcoming, running, ended }
      }),
  )
  server.registerTool(
    'fair_ranking',
    {
      title: 'Ranking of a fair',
      description:
        'Returns the ranking of a fair, best player first, or the results after its end. Standings and scores are in SOL.',
      inputSchema: z.strictObject({
        fairId,
        limit: z.int().min(1).max(RANKING_MAX).default(20),
      }),
      annotations: READS,
    },
    ({ fairId: id, limit }) =>
      runTool(async () => {
        const { nextCursor: _, ...ranking } = await api.fairs.ranking.query({ id, limit })
        return ranking
      }),
  )
  server.registerTool(
    'list_fair_tokens',
    {
      title: 'Tokens of a fair',
      description: 'Lists the tokens of a fair with price and market cap in SOL, highest market cap first.',
      inputSchema: z.strictObject({ fairId, limit: z.int().min(1).max(RANKING_MAX).default(20) }),
      annotations: READS,
    },
    ({ fairId: id, limit }) =>
      runTool(async () => ({ tokens: (await api.fairs.tokens.query({ id })).slice(0, limit) })),
  )
}

/** Registers the tool that reads the key owner's balance and holdings in a fair. */
export function registerFairBagTool(server: McpServer, api: Papermoon): void {
  server.registerTool(
    'fair_portfolio',
    {
      title: 'Portfolio in a fair',
      description: 'Returns the key owner’s SOL and holdings in a fair that the owner has entered.',
      inputSchema: z.strictObject({ fairId }),
      annotations: READS,
    },
    ({ fairId: id }) => runTool(() => api.fairs.bag.query({ id })),
  )
}

export function registerEnterTool(server: McpServer, api: Papermoon): void {
  server.registerTool(
    'enter_fair',
    {
      title: 'Enter a fair',
      description:
        'Enters the key owner in a fair. Orders for its tokens then spend the fair’s own SOL. If the owner has already entered, nothing changes. To enter a room, send its invite code.',
      inputSchema: z.strictObject({ fairId, invite: text.optional().describe('The invite code in the room’s link.') }),
      annotations: { ...ORDERS, destructiveHint: false, idempotentHint: true },
    },
    ({ fairId: id, ...input }) => runTool(() => api.fairs.enter.mutate({ id, ...input })),
  )
}
