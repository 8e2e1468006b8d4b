import { z } from 'zod'
import { formatHosts, isLinkOfKind, type LinkKind } from './link-hosts.ts'
import { words } from './words.ts'

const LINK_MAX = 200
const NO_HIDDEN = 'must not contain invisible characters'
const NO_PILES = 'must not have that many marks on one letter'
const SEARCH_ENDS = /^[\s\u061c\u200c-\u200f]+|[\s\u061c\u200c-\u200f]+$/g

/** Scripts whose spelling needs joiner characters. */
const JOINING = words(
  'Arabic Syriac Nko Mongolian Devanagari Bengali Gurmukhi Gujarati Oriya Tamil Telugu Kannada Malayalam Sinhala',
  'Khmer Myanmar Balinese Javanese',
)
const JOINED = `[[${JOINING.map((script) => `\\p{scx=${script}}`).join('')}]&&[\\p{L}\\p{M}\\p{N}]]`
/** A joiner after a virama or the Arabic heh is part of the spelling, even at the end of a word. */
const VIRAMA = '\u094d\u09cd\u0a4d\u0acd\u0b4d\u0bcd\u0c4d\u0ccd\u0d4d\u0dca'
const PICTURE = '[\\p{Extended_Pictographic}--\\p{Cn}][\\ufe0e\\ufe0f]?\\p{Emoji_Modifier}?'
/** Matches invisible characters that are part of the spelling or of an emoji. */
const SPELLED = new RegExp(
  [
    `(?<=${JOINED})[\\u200c\\u200d](?=${JOINED})`,
    `(?<=[\\u0647${VIRAMA}])\\u200d`,
    '[\\d#*]\\ufe0f\\u20e3',
    '\\p{RGI_Emoji_Tag_Sequence}',
    `${PICTURE}(?:\\u200d${PICTURE})*`,
  ].join('|'),
  'gv',
)
const RIGHT_TO_LEFT = /(?=\p{L})[\p{sc=Arabic}\p{sc=Hebrew}\p{sc=Syriac}\p{sc=Thaana}\p{sc=Nko}\p{sc=Adlam}]/u
const BIDI_MARK = /[\u061c\u200e\u200f](?![\u061c\u200e\u200f])/g
/**
 * Matches invisible characters, and characters that change the order of others. Such characters make different texts
 * look equal. PostgreSQL rejects some of these characters. The code points at the end of the pattern are blank
 * characters that Unicode lists as symbols and letters.
 */
const HIDDEN =
  /[\p{Default_Ignorable_Code_Point}\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}\u2800\ufffc\u{1d159}\u{13441}\u{13442}]/u
/**
 * Matches invisible characters that a correct text may have. Code that compares similar-looking texts ignores these
 * characters.
 */
export const UNSEEN = /\p{Join_Control}|\p{Bidi_Control}|\p{Variation_Selector}/gu
/** Matches five or more nonspacing marks on one letter. A letter in pointed Hebrew has up to four. */
const PILED_MARKS = /[\p{Mn}\p{Me}]{5}/u
const SIGN = /[\p{L}\p{N}\p{RGI_Emoji}\p{Extended_Pictographic}]/v

/** Returns whether a text has an invisible character that its spelling does not need. */
export function hasHiddenCharacters(value: string): boolean {
  const rest = value.replaceAll(SPELLED, '')
  return HIDDEN.test(RIGHT_TO_LEFT.test(value) ? rest.replaceAll(BIDI_MARK, '') : rest)
}

function hasPiledMarks(value: string): boolean {
  return PILED_MARKS.test(value.replaceAll(UNSEEN, ''))
}

/**
 * One line of a player's text with 1 to `max` code points. The schema trims it, normalizes it to NFC, and reduces
 * spaces to single ones.
 */
export function talkText(max: number) {
  return z
    .string()
    .max(max * 8, `must be at most ${max} characters`)
    .meta({ minLength: 1, maxLength: max })
    .transform((value) => value.normalize('NFC').trim().replace(/\s+/g, ' '))
    .refine((value) => value !== '', { message: 'is required', abort: true })
    .refine((value) => [...value].length <= max, { message: `must be at most ${max} characters`, abort: true })
    .refine((value) => !hasHiddenCharacters(value), NO_HIDDEN)
    .refine((value) => !hasPiledMarks(value), NO_PILES)
}

/** A name or label: one line of at least `charactersMin` characters, with a letter, a digit or an emoji. */
export function text(field: string, charactersMax: number, charactersMin = 1) {
  return talkText(charactersMax)
    .meta({ minLength: charactersMin, maxLength: charactersMax })
    .refine((value) => [...value].length >= charactersMin, {
      message: `must be at least ${charactersMin} characters`,
      abort: true,
    })
    .refine((value) => SIGN.test(value), 'must have a letter, a digit or an emoji')
    .describe(`The ${field}: ${charactersMin} to ${charactersMax} characters.`)
}

/** A search text. Marks and joiners at its ends are removed, because pasted and half-typed texts often have them. */
export function searchText(charactersMax: number) {
  return z
    .string()
    .max(charactersMax)
    .transform((value) => value.normalize('NFC').replace(SEARCH_ENDS, ''))
    .refine((value) => !hasHiddenCharacters(value), NO_HIDDEN)
}

/** Optional text of several lines. An empty text becomes null. */
export function optionalText(field: string, charactersMax: number) {
  return z
    .string()
    .max(charactersMax * 8, `must be at most ${charactersMax} characters`)
    .meta({ maxLength: charactersMax })
    .optional()
    .transform((value) => value?.normalize('NFC').replace(/\r\n?/g, '\n').trim() || null)
    .refine(
      (value) => value === null || [...value].length <= charactersMax,
      `must be at most ${charactersMax} characters`,
    )
    .refine((value) => value === null || !hasHiddenCharacters(value.replaceAll('\n', ' ')), NO_HIDDEN)
    .refine((value) => value === null || !hasPiledMarks(value), NO_PILES)
    .describe(`The ${field}: at most ${charactersMax} characters.`)
}

/** An optional absolute http(s) URL, normalized by the URL standard, or null for empty text. */
export const link = z
  .string()
  .max(LINK_MAX, `must be at most ${LINK_MAX} characters`)
  .optional()
  .transform((value) => value?.trim() || null)
  .refine((value) => value === null || isWebAddress(value), {
    message: 'must be a URL that begins with https:// or http://',
    abort: true,
  })
  .transform((value) => value && new URL(value).href)
  // Check the length again. Non-ASCII characters become longer when a URL is normalized.
  .refine((value) => value === null || value.length <= LINK_MAX, `must be at most ${LINK_MAX} characters`)
  .describe(`An http(s) URL of at most ${LINK_MAX} characters.`)

/** An optional link to X or Telegram. The link's host must belong to that site. */
export function linkTo(kind: LinkKind) {
  return link
    .refine(
      (value) => value === null || isLinkOfKind(kind, new URL(value)),
      `must be an address at ${formatHosts(kind)}`,
    )
    .describe(`An http(s) URL at ${formatHosts(kind)} of at most ${LINK_MAX} characters.`)
}

export const optionalEmoji = z
  .string()
  .max(64, 'must be exactly one emoji')
  .optional()
  .transform((value) => value?.trim() || null)
  .refine((value) => value === null || /^\p{RGI_Emoji}$/v.test(value), 'must be exactly one emoji')
  .describe('Exactly one emoji.')

function isWebAddress(value: string): boolean {
  if (/\s/.test(value) || hasHiddenCharacters(value)) return false
  const url = URL.canParse(value) ? new URL(value) : null
  return (
    url !== null &&
    (url.protocol === 'https:' || url.protocol === 'http:') &&
    url.username === '' &&
    url.password === ''
  )
}
