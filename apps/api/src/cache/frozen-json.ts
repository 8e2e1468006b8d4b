const texts = new WeakMap<object, string>()
const bytes = new WeakMap<object, Buffer>()

/**
 * Returns a value as JSON. The text of a frozen value is cached. A frozen list's text is joined from its items' texts,
 * so only items that changed are serialized again.
 */
export function jsonText(value: unknown): string {
  if (!isFrozen(value)) return JSON.stringify(value)
  const cached = texts.get(value)
  if (cached !== undefined) return cached
  const text = Array.isArray(value) ? `[${value.map(jsonText).join(',')}]` : JSON.stringify(value)
  texts.set(value, text)
  return text
}

/**
 * Min length in characters of texts that are sent as bytes. Node sends shorter strings together with the headers in one
 * packet.
 */
const BYTES_FROM = 8_192

/** Returns a value as JSON in the form that is sent fastest: long texts of frozen values as bytes, encoded once. */
export function jsonBody(value: unknown): Buffer | string {
  if (!isFrozen(value)) return JSON.stringify(value)
  const cached = bytes.get(value)
  if (cached !== undefined) return cached
  const text = jsonText(value)
  if (text.length < BYTES_FROM) return text
  const encoded = Buffer.from(text)
  bytes.set(value, encoded)
  return encoded
}

/** Returns whether a value came from the query cache, because only shared plain JSON is frozen. */
export function isFrozen(value: unknown): value is object {
  return typeof value === 'object' && value !== null && Object.isFrozen(value)
}
