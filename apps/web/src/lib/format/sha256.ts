const encoder = new TextEncoder()

/** Returns whether `crypto.subtle` exists. Browsers have it only on HTTPS and localhost. */
export function canHash(): boolean {
  return globalThis.crypto?.subtle !== undefined
}

/**
 * Returns the SHA-256 hash of bytes, or of a text's UTF-8 bytes, as 64 lower-case hex digits. The browser computes it
 * outside the main thread, so long loops do not block the page.
 */
export async function sha256(data: string | Uint8Array<ArrayBuffer>): Promise<string> {
  const bytes = typeof data === 'string' ? encoder.encode(data) : data
  const digest = await crypto.subtle.digest('SHA-256', bytes)
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('')
}
