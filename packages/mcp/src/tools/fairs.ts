import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { z } from 'zod'
import { answer, type Papermoon, READS } from './tool.ts'

const RANKING_MAX = 100

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
        fairId: z.int().min(2).describe('The id of a fair.'),
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
}
