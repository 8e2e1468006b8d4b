import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { registerAccountTools } from './tools/account.ts'
import { registerMarketTools, registerQuoteTool } from './tools/market.ts'
import { registerOrderTools } from './tools/orders.ts'
import type { Papermoon } from './tools/tool.ts'

const INSTRUCTIONS = `Papermoon is a play-money market for meme tokens: nothing here is worth real money. Amounts are decimal
strings: SOL with up to 9 decimals, tokens with up to 6. Quote before you buy or sell, and pass the quote's minimum. If an
order got no answer, repeat it with the requestId of the error: it is placed at most once.`

/** Creates the MCP server. Without a key it offers the tools that need none. */
export function createServer({ api, hasKey }: { api: Papermoon; hasKey: boolean }): McpServer {
  const server = new McpServer(
    { name: 'papermoon', version: '1' },
    { instructions: INSTRUCTIONS.replaceAll('\n', ' ') },
  )
  registerMarketTools(server, api)
  registerQuoteTool(server, api)
  if (hasKey) {
    registerAccountTools(server, api)
    registerOrderTools(server, api)
  }
  return server
}
