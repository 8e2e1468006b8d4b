import bowser from 'bowser'

/** Longest user agent that is looked at; real ones have 100 to 250 characters. */
export const USER_AGENT_MAX = 400
/** The first product of a program's user agent, such as `curl/8.5.0`. */
const PRODUCT = /^([A-Za-z][\w.-]{0,30})(?:\/([\d.]{1,15}))?/
const PLAIN = /^[\w. -]{1,40}$/

/**
 * A user agent in words for people: "Firefox 128 on Linux", "curl 8", or "unknown browser". What a client claims is
 * shown to its own player only, and holds nothing but names, digits, dots and hyphens.
 */
export function describeBrowser(userAgent: string | null): string {
  const text = (userAgent ?? '').slice(0, USER_AGENT_MAX)
  if (text === '') return 'unknown browser'
  const { browser, os } = bowser.parse(text)
  // What is in no table of the library's is whatever the client wrote.
  const [name, version] = os.name ? [browser.name, browser.version] : (PRODUCT.exec(text)?.slice(1) ?? [])
  if (!name || !PLAIN.test(name)) return 'unknown browser'
  const major = /^\d{1,5}/.exec(version ?? '')?.[0]
  return [name, major, os.name && PLAIN.test(os.name) ? `on ${os.name}` : undefined].filter(Boolean).join(' ')
}
