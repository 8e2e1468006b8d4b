/** The texts of what is frozen, kept as long as it is. */
const texts = new WeakMap<object, string>()
const bytes = new WeakMap<object, Buffer>()

/**
 * A value as JSON. What is frozen is written once; a frozen list from the texts of its items, so that a change of one
 * costs the writing of one.
 */
export function jsonText(value: unknown): string {
  if (!isFrozen(value)) return JSON.stringify(value)
  const kept = texts.get(value)
  if (kept !== undefined) return kept
  const text = Array.isArray(value) ? `[${value.map(jsonText).join(',')}]` : JSON.stringify(value)
  texts.set(value, text)
  return text
}

/** Shorter than this, a text is sent in one piece with the headers. */
const BYTES_FROM = 8_192

/** A value as JSON, in the form that is sent fastest: a long text that is frozen as bytes, encoded once. */
export function jsonBody(value: unknown): Buffer | string {
  if (!isFrozen(value)) return JSON.stringify(value)
  const kept = bytes.get(value)
  if (kept !== undefined) return kept
  const text = jsonText(value)
  if (text.length < BYTES_FROM) return text
  const encoded = Buffer.from(text)
  bytes.set(value, encoded)
  return encoded
}

/** Whether a value is shared by all who read it, and plain JSON. */
export function isFrozen(value: unknown): value is object {
  return typeof value === 'object' && value !== null && Object.isFrozen(value)
}
