/**
 * The result of parsing JSON that exceeds the limits. It is a value and not an error, because a call must be counted
 * before `assertPlainInput` rejects its input.
 */
export const OVERSIZED_JSON = Symbol('JSON with too many or too deep parts')

/** Max depth of JSON. No input needs more, even in an envelope inside a batch. */
export const JSON_DEPTH_MAX = 16
/**
 * Max number of elements and properties in a whole text: more than two full inputs, or fifty in each call of a batch.
 */
export const JSON_PARTS_MAX = 1_024
/**
 * Max length of texts that need no check, in characters. They cannot have too many parts, and are cheap at any depth.
 */
const HARMLESS_CHARS = 512

const QUOTE = 0x22
const COMMA = 0x2c
const BACKSLASH = 0x5c

/**
 * Parses JSON unless its brackets and commas exceed the limits, because parsing 15,000 nested lists takes a thousand
 * times as long as counting them. Throws `SyntaxError`.
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
      // The string is not closed, so the text is not JSON.
      if (at === -1) return false
    } else if (code === COMMA) {
      if (++parts >= JSON_PARTS_MAX) return true
    } else if (isOpening(code)) {
      if (++depth > JSON_DEPTH_MAX) return true
    } else if (isClosing(code)) depth--
  }
  return false
}

/** Returns the index of the quote that closes the string opened at `start`; -1 if there is none. */
function findStringEnd(text: string, start: number): number {
  let end = text.indexOf('"', start + 1)
  while (end !== -1 && isEscaped(text, end)) end = text.indexOf('"', end + 1)
  return end
}

/** Returns whether an odd number of backslashes comes before this position. */
function isEscaped(text: string, at: number): boolean {
  let before = at - 1
  while (text.charCodeAt(before) === BACKSLASH) before--
  return (at - before) % 2 === 0
}

/** Returns whether the character is `[` or `{`. */
const isOpening = (code: number): boolean => code === 0x5b || code === 0x7b
/** Returns whether the character is `]` or `}`. */
const isClosing = (code: number): boolean => code === 0x5d || code === 0x7d
