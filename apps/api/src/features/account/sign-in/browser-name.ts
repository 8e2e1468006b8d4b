import bowser from 'bowser'

/** Max length of a user agent that is parsed, in characters. Browsers send 100 to 250 characters. */
export const USER_AGENT_MAX = 400
/** Matches the first product in a program's user agent, such as `curl/8.5.0`. */
const PRODUCT = /^([A-Za-z][\w.-]{0,30})(?:\/([\d.]{1,15}))?/
const PLAIN = /^[\w. -]{1,40}$/

/**
 * Returns a readable name for a user agent: "Firefox 128 on Linux", "curl 8" or "unknown browser". Clients can send any
 * text, so the result contains only letters, digits, spaces, dots, hyphens and underscores, and only its player can see
 * it.
 */
export function describeBrowser(userAgent: string | null): string {
  const text = (userAgent ?? '').slice(0, USER_AGENT_MAX)
  if (text === '') return 'unknown browser'
  const { browser, os } = bowser.parse(text)
  // If the OS is unknown, bowser returns the client's own text as the name.
  const [name, version] = os.name ? [browser.name, browser.version] : (PRODUCT.exec(text)?.slice(1) ?? [])
  if (!name || !PLAIN.test(name)) return 'unknown browser'
  const major = /^\d{1,5}/.exec(version ?? '')?.[0]
  return [name, major, os.name && PLAIN.test(os.name) ? `on ${os.name}` : undefined].filter(Boolean).join(' ')
}
