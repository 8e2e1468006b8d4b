import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js'
import { isPapermoonError, type PapermoonApi } from '@papermoon/client'
import { z } from 'zod'

export type Papermoon = PapermoonApi

/** Hints for hosts that ask before they act. */
export const READS = { readOnlyHint: true, openWorldHint: true }
/** An order cannot be undone; repeated with its requestId it is placed once. */
export const ORDERS = { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true }

/** The server has the rules of keys and texts, and refuses with its own sentence; these bounds only keep a message small. */
const TEXT_MAX = 1_000
export const text = z.string().max(TEXT_MAX)
export const tokenId = z.int().positive().describe('The id of a token.')
export const amount = z
  .string()
  .max(40)
  .regex(/^\d+(\.\d+)?$/, 'a plain decimal number, such as 1.5')

/** Runs a tool: its answer as structured content and as JSON text, or the server's refusal as an error of the tool. */
export async function answer(run: () => Promise<Record<string, unknown>>): Promise<CallToolResult> {
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

/** What players write, wherever it is. */
const STRANGERS_WORDS = new Set(
  'name symbol emoji description website x telegram username tokenName tokenSymbol wallet about text'.split(' '),
)

/** Puts each text that a stranger wrote into `{ untrusted: text }`, which no text can imitate. */
function markUntrusted<Answer extends object>(answer: Answer): Answer {
  const mark = (name: string, value: unknown): unknown => {
    if (typeof value === 'string') return STRANGERS_WORDS.has(name) ? { untrusted: value } : value
    return typeof value === 'object' && value !== null ? markUntrusted(value) : value
  }
  if (Array.isArray(answer)) return answer.map((item) => mark('', item)) as unknown as Answer
  return Object.fromEntries(Object.entries(answer).map(([name, value]) => [name, mark(name, value)])) as Answer
}

function describe(message: string, reason: string | null | undefined): string {
  return reason === null || reason === undefined ? `The server was not reached: ${message}` : `${reason}: ${message}`
}
