/** A media range in an `Accept` header, with its weight. */
interface MediaRange {
  readonly type: string
  readonly subtype: string
  readonly quality: number
}

const TOKEN = /^[!#$%&'*+.^_`|~0-9a-z-]+$/
const WEIGHT = /^q\s*=\s*(0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/
/** Max number of ranges that are read from a header. Real clients send about a dozen. */
const RANGES_MAX = 64

/**
 * Parses an `Accept` header (RFC 9110, 12.5.1). Ignores malformed ranges, and parameters other than the weight.
 * Libraries such as negotiator return only an order, from which nobody can tell whether two weights are equal.
 */
export function parseAccept(accept: string): MediaRange[] {
  return splitOutsideQuotes(accept.toLowerCase(), ',').slice(0, RANGES_MAX).flatMap(parseRange)
}

/**
 * Returns the weight of a media type, from 0 (never) to 1. The most specific range that matches the media type counts.
 */
export function getQuality(ranges: readonly MediaRange[], mediaType: string): number {
  const [type, subtype] = mediaType.split('/')
  const exact = ranges.filter((range) => range.type === type && range.subtype === subtype)
  const sameType = ranges.filter((range) => range.type === type && range.subtype === '*')
  const any = ranges.filter((range) => range.type === '*')
  const matched = [exact, sameType, any].find(({ length }) => length > 0) ?? []
  return Math.max(0, ...matched.map(({ quality }) => quality))
}

/** To call the API, clients must accept one of these media types. Errors are sent as plain text. */
const TAKEN = ['application/json', 'application/problem+json', 'text/plain'] as const

/**
 * Returns whether an `Accept` header allows JSON or one of `more`. A header without any well-formed range allows
 * everything.
 */
export function acceptsJson(accept: string | undefined, more: readonly string[] = []): boolean {
  if (accept === undefined || accept === '*/*' || accept === 'application/json') return true
  const ranges = parseAccept(accept)
  return (
    [...TAKEN, ...more].some((type) => getQuality(ranges, type) > 0) || ranges.every(({ quality }) => quality === 0)
  )
}

function parseRange(text: string): MediaRange[] {
  const [range = '', ...parameters] = splitOutsideQuotes(text, ';').map((part) => part.trim())
  const [type = '', subtype = '', ...rest] = range.split('/')
  if (rest.length > 0 || !TOKEN.test(type) || !TOKEN.test(subtype) || (type === '*' && subtype !== '*')) return []
  const weight = parameters.find((parameter) => /^q\s*=/.test(parameter))
  const quality = weight === undefined ? '1' : WEIGHT.exec(weight)?.[1]
  return quality === undefined ? [] : [{ type, subtype, quality: Number(quality) }]
}

/** Splits a header at a separator, except inside a quoted parameter. */
function splitOutsideQuotes(text: string, separator: ',' | ';'): string[] {
  const parts = ['']
  let isQuoted = false
  let isEscaped = false
  for (const character of text) {
    if (character === '"' && !isEscaped) isQuoted = !isQuoted
    isEscaped = isQuoted && character === '\\' && !isEscaped
    if (character === separator && !isQuoted) parts.push('')
    else parts[parts.length - 1] += character
  }
  return parts
}
