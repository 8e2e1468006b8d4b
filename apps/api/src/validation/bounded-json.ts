/**
 * The result of parsing JSON beyond the bounds. It is a value and no error, because a call is counted before its input is
 * refused, which `assertPlainInput` does.
 */
export const OVERSIZED_JSON = Symbol('JSON with too many or too deep parts')

/** Above what any input in an envelope in a batch has. */
export const JSON_DEPTH_MAX = 16
/** Elements and properties of a whole text: more than two full inputs, or fifty in each of a batch's calls. */
export const JSON_PARTS_MAX = 1_024
/** A shorter text cannot have so many parts, and is cheap at any depth. */
const HARMLESS_CHARS = 512

const QUOTE = 0x22
const COMMA = 0x2c
const BACKSLASH = 0x5c

/**
 * Parses JSON unless its brackets and commas exceed the bounds: parsing 15,000 nested lists takes a thousand times as long as
 * noticing them. Throws `SyntaxError`.
 */
export function parseBoundedJson(text: string): unknown {
  return isOversized(text) ? OVERSIZED_JSON : JSON.parse(text)
}

function isOversized(text: string): boolean {
  if (text.length <= HARMLESS_CHARS) return false
  let depth = 0
  let parts = 0
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === QUOTE) {
      at = findStringEnd(text, at)
      // Not closed, so not JSON.
      if (at === -1) return false
    } else if (code === COMMA) {
      if (++parts >= JSON_PARTS_MAX) return true
    } else if (isOpening(code)) {
      if (++depth > JSON_DEPTH_MAX) return true
    } else if (isClosing(code)) depth--
  }
  return false
}

/** The index of the quote that closes the string opened at `start`; -1 if none does. */
function findStringEnd(text: string, start: number): number {
  let end = text.indexOf('"', start + 1)
  while (end !== -1 && isEscaped(text, end)) end = text.indexOf('"', end + 1)
  return end
}

/** Whether an odd number of backslashes precedes. */
function isEscaped(text: string, at: number): boolean {
  let before = at - 1
  while (text.charCodeAt(before) === BACKSLASH) before--
  return (at - before) % 2 === 0
}

/** `[` or `{`. */
const isOpening = (code: number): boolean => code === 0x5b || code === 0x7b
/** `]` or `}`. */
const isClosing = (code: number): boolean => code === 0x5d || code === 0x7d
