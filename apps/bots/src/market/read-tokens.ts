import type { PapermoonClient } from '@papermoon/client'
import type { Token } from './types.ts'

/** Tokens per request: each costs the server's limits as much as five reads. */
const PAGE = 200
const NEWEST_MAX = 400

/** The newest tokens and the largest, at most 600. */
export async function readTokens({ api }: PapermoonClient, signal: AbortSignal): Promise<Token[]> {
  const tokens = new Map<number, Token>()
  const largest = await api.tokens.list.query({ sort: 'mcap-high', limit: PAGE }, { signal })
  for (const token of largest.tokens) tokens.set(token.id, token)
  let cursor: string | null = null
  let count = 0
  do {
    const page: typeof largest = await api.tokens.list.query({ sort: 'newest', limit: PAGE, cursor }, { signal })
    for (const token of page.tokens) tokens.set(token.id, token)
    count += page.tokens.length
    cursor = page.nextCursor
  } while (cursor !== null && count < NEWEST_MAX)
  return [...tokens.values()].sort((a, b) => a.id - b.id)
}
