import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { z } from 'zod'
import { answer, type Papermoon, READS, text, tokenId } from './tool.ts'

/** Tools that read the key owner's data. Neither e-mail nor wallet is passed on to a model. */
export function registerAccountTools(server: McpServer, api: Papermoon): void {
  server.registerTool(
    'portfolio',
    {
      title: 'Own portfolio',
      description:
        'The holdings of the key’s owner with cost, value and profit, their SOL balance and net worth, and what the key may spend today.',
      inputSchema: z.strictObject({}),
      annotations: READS,
    },
    () =>
      answer(async () => {
        const [worth, holdings, { caller }] = await Promise.all([
          api.portfolio.netWorth.query(),
          api.portfolio.get.query({}),
          api.site.parameters.query(),
        ])
        const { balance, netWorth } = worth
        return { balance, netWorth, holdings, key: caller.key }
      }),
  )
  server.registerTool(
    'find_order',
    {
      title: 'What became of an order',
      description:
        'What became of an own order, by its requestId: filled with its trade, or pending. NOT_FOUND: not placed.',
      inputSchema: z.strictObject({ requestId: text }),
      annotations: READS,
    },
    ({ requestId }) => answer(() => api.orders.get.query({ key: requestId })),
  )
  server.registerTool(
    'list_waiting_orders',
    {
      title: 'Orders that wait',
      description: 'The key’s own orders that wait for a price, or that ended, newest first.',
      inputSchema: z.strictObject({ tokenId: tokenId.optional(), state: z.enum(['waiting', 'ended']).optional() }),
      annotations: READS,
    },
    (input) => answer(() => api.waitingOrders.list.query(input)),
  )
}
