import { readStored, store } from '../../../lib/ui/stored.ts'

const KEY = 'papermoon-searches'
const RECENT_MAX = 5
const LENGTH_MAX = 64

/** Texts that led somewhere, newest first; kept in this browser only. */
export function recentSearches(): string[] {
  try {
    const kept: unknown = JSON.parse(readStored(KEY) ?? '[]')
    const texts = Array.isArray(kept) ? kept.filter((text) => typeof text === 'string' && text !== '') : []
    return texts.slice(0, RECENT_MAX).map((text: string) => text.slice(0, LENGTH_MAX))
  } catch {
    return []
  }
}

/** Puts a text first; the same one in other letters moves. */
export function rememberSearch(text: string): void {
  const asked = text.trim()
  if (asked === '') return
  const others = recentSearches().filter((other) => other.toLowerCase() !== asked.toLowerCase())
  store(KEY, JSON.stringify([asked, ...others].slice(0, RECENT_MAX)))
}

export function forgetSearches(): void {
  store(KEY, null)
}
