const encoder = new TextEncoder()

/** Whether this page may hash: browsers let pages do so that came over HTTPS, or from the machine itself. */
export function canHash(): boolean {
  return globalThis.crypto?.subtle !== undefined
}

/**
 * SHA-256 of a text's UTF-8 bytes, as 64 hexadecimal digits in lower case, by the browser itself. Beside the page's own
 * thread: however many are waited for one after another, the page goes on.
 */
export async function sha256(text: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', encoder.encode(text))
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('')
}
