import { readStored, store } from '../../../lib/ui/stored.ts'

const KEY = 'papermoon-searches'
const RECENT_MAX = 5
const LENGTH_MAX = 64

/** Returns the texts of searches that led to a page, newest first. The server does not store these texts. */
export function recentSearches(): string[] {
  try {
    const stored: unknown = JSON.parse(readStored(KEY) ?? '[]')
    const texts = Array.isArray(stored) ? stored.filter((text) => typeof text === 'string' && text !== '') : []
    return texts.slice(0, RECENT_MAX).map((text: string) => text.slice(0, LENGTH_MAX))
  } catch {
    return []
  }
}

/** Puts a text at the front of the list, where it replaces an earlier text that differs only in case. */
export function rememberSearch(text: string): void {
  const asked = text.trim()
  if (asked === '') return
  const others = recentSearches().filter((other) => other.toLowerCase() !== asked.toLowerCase())
  store(KEY, JSON.stringify([asked, ...others].slice(0, RECENT_MAX)))
}

export function forgetSearches(): void {
  store(KEY, null)
}
