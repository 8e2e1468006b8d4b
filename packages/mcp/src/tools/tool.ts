import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js'
import { isPapermoonError, type PapermoonApi } from '@papermoon/client'
import { z } from 'zod'

export type Papermoon = PapermoonApi

/** Hints for hosts that ask users before a tool call. Such tools only read and change nothing. */
export const READS = { readOnlyHint: true, openWorldHint: true }
/** Hints that orders cannot be undone. A call without a requestId places a new order, so calls are not idempotent. */
export const ORDERS = { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true }

/** Max length of a text in characters. This limit keeps messages small. The server validates texts. */
const TEXT_MAX = 1_000
export const text = z.string().max(TEXT_MAX)
export const tokenId = z.int().positive().describe('Id of the token.')
export const amount = z
  .string()
  .max(40)
  .regex(/^\d+(\.\d+)?$/, 'a plain decimal number, such as 1.5')

/** Runs a tool. Returns its result as structured content and as JSON text, or the server's error as a tool error. */
export async function runTool(run: () => Promise<Record<string, unknown>>): Promise<CallToolResult> {
  try {
    const structuredContent = markUntrusted(await run())
    return { structuredContent, content: [{ type: 'text', text: JSON.stringify(structuredContent) }] }
  } catch (error) {
    if (!isPapermoonError(error)) throw error
    return refuse(describe(error.message, error.data?.reason))
  }
}

export function refuse(text: string): CallToolResult {
  return { isError: true, content: [{ type: 'text', text }] }
}

/** Names of properties that contain players' texts, at any depth. */
const UNTRUSTED_PROPERTIES = new Set(
  'name symbol emoji description website x telegram username tokenName tokenSymbol wallet about text'.split(' '),
)

/** Wraps each text of a player in `{ untrusted: text }`. No player's text can imitate this mark. */
function markUntrusted<Content extends object>(content: Content): Content {
  const mark = (name: string, value: unknown): unknown => {
    if (typeof value === 'string') return UNTRUSTED_PROPERTIES.has(name) ? { untrusted: value } : value
    return typeof value === 'object' && value !== null ? markUntrusted(value) : value
  }
  if (Array.isArray(content)) return content.map((item) => mark('', item)) as unknown as Content
  return Object.fromEntries(Object.entries(content).map(([name, value]) => [name, mark(name, value)])) as Content
}

function describe(message: string, reason: string | null | undefined): string {
  return reason === null || reason === undefined ? `The server did not respond: ${message}` : `${reason}: ${message}`
}
