import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { z } from 'zod'
import { type Papermoon, READS, runTool, text, tokenId } from './tool.ts'

/** Registers the tools that read the key owner's data, except email address and wallet. */
export function registerAccountTools(server: McpServer, api: Papermoon): void {
  server.registerTool(
    'portfolio',
    {
      title: 'Portfolio',
      description:
        'Returns the key owner’s SOL balance, net worth and holdings with cost, value and profit, and the SOL that the key may still spend today.',
      inputSchema: z.strictObject({}),
      annotations: READS,
    },
    () =>
      runTool(async () => {
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
      title: 'Find an order',
      description:
        'Returns the outcome of the order with this requestId, which is filled (with its trade) or pending. NOT_FOUND means that the order was not placed.',
      inputSchema: z.strictObject({ requestId: text }),
      annotations: READS,
    },
    ({ requestId }) => runTool(() => api.orders.get.query({ key: requestId })),
  )
  server.registerTool(
    'list_waiting_orders',
    {
      title: 'Waiting orders',
      description: 'Lists the key owner’s waiting or ended orders, newest first.',
      inputSchema: z.strictObject({ tokenId: tokenId.optional(), state: z.enum(['waiting', 'ended']).optional() }),
      annotations: READS,
    },
    (input) => runTool(() => api.waitingOrders.list.query(input)),
  )
}
