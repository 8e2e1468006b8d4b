/** The example server URL in the guide's text and code. */
export const EXAMPLE_URL = 'http://localhost:3000'
/** The example key in the guide's code. No real key contains an underscore after `pm_`. */
export const EXAMPLE_KEY = 'pm_YOUR_KEY'

/** Values that replace the example URL and key in a reader's copy of the guide. */
export interface Filling {
  /** An origin, such as `https://papermoon.example`. */
  readonly url: string
  readonly key?: string | undefined
}

/** Replaces the example URL, for HTTP and for WebSockets. Also replaces the example key if the reader has one. */
export function fillIn(text: string, { url, key = EXAMPLE_KEY }: Filling): string {
  return text
    .replaceAll(EXAMPLE_URL, url)
    .replaceAll(EXAMPLE_URL.replace('http', 'ws'), url.replace('http', 'ws'))
    .replaceAll(EXAMPLE_KEY, key)
}
