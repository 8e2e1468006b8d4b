import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { z } from 'zod'
import { answer, ORDERS, type Papermoon, READS, text } from './tool.ts'

const RANKING_MAX = 100
const fairId = z.int().min(2).describe('The id of a fair.')

/** Tools that read fairs: markets with their own money, tokens, ranking and clock. */
export function registerFairTools(server: McpServer, api: Papermoon): void {
  server.registerTool(
    'list_fairs',
    {
      title: 'Fairs',
      description:
        'Fairs to come, those that run and the newest that have ended: contests with their own SOL, tokens, ranking and clock.',
      inputSchema: z.strictObject({ limit: z.int().min(1).max(50).default(20).describe('Of ended ones.') }),
      annotations: READS,
    },
    ({ limit }) =>
      answer(async () => {
        const { upcoming, running, ended } = await api.fairs.list.query({ limit })
        return { upcoming, running, ended }
      }),
  )
  server.registerTool(
    'fair_ranking',
    {
      title: 'Ranking of a fair',
      description:
        'Who stands where in a fair, the best first; after its end the results. Standings and scores are SOL.',
      inputSchema: z.strictObject({
        fairId,
        limit: z.int().min(1).max(RANKING_MAX).default(20),
      }),
      annotations: READS,
    },
    ({ fairId: id, limit }) =>
      answer(async () => {
        const { nextCursor: _, ...ranking } = await api.fairs.ranking.query({ id, limit })
        return ranking
      }),
  )
  server.registerTool(
    'list_fair_tokens',
    {
      title: 'Tokens of a fair',
      description: 'The tokens of a fair with price and market cap in SOL, the highest market cap first.',
      inputSchema: z.strictObject({ fairId, limit: z.int().min(1).max(RANKING_MAX).default(20) }),
      annotations: READS,
    },
    ({ fairId: id, limit }) => answer(async () => ({ tokens: (await api.fairs.tokens.query({ id })).slice(0, limit) })),
  )
}

/** Reads the key owner's part in a fair. */
export function registerFairBagTool(server: McpServer, api: Papermoon): void {
  server.registerTool(
    'fair_portfolio',
    {
      title: 'Own portfolio in a fair',
      description: 'The SOL and holdings of the key’s owner in a fair that they have entered.',
      inputSchema: z.strictObject({ fairId }),
      annotations: READS,
    },
    ({ fairId: id }) => answer(() => api.fairs.bag.query({ id })),
  )
}

/** Enters fairs. */
export function registerEnterTool(server: McpServer, api: Papermoon): void {
  server.registerTool(
    'enter_fair',
    {
      title: 'Enter a fair',
      description:
        'Enters a fair and gets its stake, once; entering again changes nothing. Orders for its tokens then spend that SOL. A room takes the code of its invite link.',
      inputSchema: z.strictObject({ fairId, invite: text.optional().describe('The code of a room’s invite link.') }),
      annotations: { ...ORDERS, destructiveHint: false, idempotentHint: true },
    },
    ({ fairId: id, ...input }) => answer(() => api.fairs.enter.mutate({ id, ...input })),
  )
}
