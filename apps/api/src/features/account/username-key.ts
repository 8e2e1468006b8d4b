import { UNSEEN } from '@papermoon/contract/text'
import { words } from '@papermoon/contract/words'
import { BadInputError, defineError } from '../../errors.ts'

export class UsernameTakenError extends defineError(
  'USERNAME_TAKEN',
  'This username, or one that looks like it, is already taken.',
) {}

/** Scripts that UAX 31 recommends for identifiers. In other scripts, some letters look like Latin letters. */
const SCRIPTS = words(
  'Arabic Armenian Bengali Bopomofo Cyrillic Devanagari Ethiopic Georgian Greek Gujarati Gurmukhi Han Hangul Hebrew',
  'Hiragana Kannada Katakana Khmer Lao Latin Malayalam Myanmar Oriya Sinhala Tamil Telugu Thaana Thai Tibetan',
)

/** Scripts that a name may mix, according to the "highly restrictive" level of UTS 39. */
const TOGETHER = [words('Latin Han Hiragana Katakana'), words('Latin Han Bopomofo'), words('Latin Han Hangul')]

/** Each pattern is one character class without alternatives, so matching takes linear time in the name's length. */
const MIXES = [...SCRIPTS.map((script) => [script]), ...TOGETHER].map(
  (scripts) => new RegExp(`^[${toClasses(scripts)}\\p{sc=Common}\\p{sc=Inherited}[^\\p{L}\\p{M}]]*$`, 'v'),
)

/** Matches phonetic letters and small capitals, except letters of living languages. */
const TECHNICAL = /[[\u0250-\u02af\u1d00-\u1dbf\ua720-\ua7ff\uab30-\uab6f]--[ɓɔɖɗəɛɣɨɩɲʉʊʋʒ]]/v

/**
 * Letters, digits and signs of all alphabets, listed by the Latin letter that they look like. Full-width, bold and
 * similar forms of letters are converted earlier.
 */
const LOOK_ALIKES = byLookAlike({
  "'": '’‘`´',
  '-': '‐‑‒–—−',
  '3': 'з',
  a: 'аαɑ@',
  b: 'вβƅ',
  c: 'сϲςꮯ',
  d: 'ԁđꭰ',
  e: 'еѐёε',
  g: 'ɡց',
  h: 'һнħհ',
  j: 'јȷյ',
  k: 'кκ',
  l: '1іїӏιıɩɪʟłi|!',
  m: 'м',
  n: 'пηɴո',
  o: '0оοσøօ',
  p: 'рρ',
  q: 'ԛզ',
  r: 'г',
  s: 'ѕꮪ$',
  t: 'тτŧ',
  u: 'μυս',
  v: 'ѵν',
  w: 'ԝω',
  x: 'хχ',
  y: 'уүγʏ',
  z: 'ζ',
})

/** Pairs of letters that look like a single letter on a small screen. */
const PAIRS: readonly (readonly [RegExp, string])[] = [
  [/rn/g, 'm'],
  [/vv/g, 'w'],
]

/** Capitals that look different from their own small letter. */
const CAPITALS = byLookAlike({
  b: 'ВΒ',
  e: 'Σ',
  h: 'ΗН',
  l: 'І',
  m: 'Μ',
  n: 'Ν',
  p: 'Ρ',
  s: 'Ѕ',
  t: 'Τ',
  x: 'Χ',
  y: 'Υ',
  z: 'Ζ',
})

function byLookAlike(letters: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(letters).flatMap(([letter, alike]) => [...alike].map((it) => [it, letter])))
}

const MARKED_LETTER = /([\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}])\p{M}+/gu

/** Words that make a name look like the operator's. A name that consists only of these words is reserved. */
const RESERVED = words(
  'admin administrator mod moderator support helpdesk system official staff team',
  'operator root security papermoon treasury house deletedplayer',
)

const RESERVED_NAME = new RegExp(`^(?:the)?(?:${RESERVED.map(toBareKey).join('|')})+$`)

/**
 * Returns a key that is the same for look-alike usernames. Case, alphabet, accents and joiners do not change the key.
 * This project maintains the table of look-alikes itself. The key works like the skeleton in Unicode TR39.
 */
export function usernameKey(username: string): string {
  const bare = username.normalize('NFKD').replaceAll(UNSEEN, '').replace(MARKED_LETTER, '$1')
  const latin = Array.from(bare, (letter) => CAPITALS[letter] ?? letter)
    .flatMap((letter) => Array.from(letter.toLowerCase()))
    .map((letter) => LOOK_ALIKES[letter] ?? letter)
    .join('')
  return PAIRS.reduce((key, [pair, letter]) => key.replace(pair, letter), latin).replace(/\s+/g, ' ')
}

/**
 * Rejects a new username that seems to belong to the operator, or that mixes scripts or uses phonetic letters to look
 * like another name (UTS 39). Existing usernames stay valid. Throws `UsernameTakenError` and `BadInputError`.
 */
export function assertNewUsername(username: string): void {
  if (RESERVED_NAME.test(toBareKey(username))) throw new UsernameTakenError()
  const written = username.normalize('NFC')
  if (TECHNICAL.test(written) || !MIXES.some((mix) => mix.test(written))) {
    throw new BadInputError('username must use the letters of one alphabet.')
  }
}

/** Returns the letters and digits of a name's look-alike key. */
function toBareKey(name: string): string {
  return usernameKey(name).replaceAll(/[^\p{L}\p{N}]/gu, '')
}

function toClasses(scripts: readonly string[]): string {
  return scripts.map((script) => `\\p{scx=${script}}`).join('')
}

/** Returns the key by which email addresses are unique; it ignores case. */
export function toEmailKey(email: string): string {
  return email.toLowerCase()
}

export class EmailTakenError extends defineError('EMAIL_TAKEN', 'This email address is already registered.') {}

/** Returns whether the error is a unique violation because another account has the email address. */
export function isEmailTaken(error: unknown): boolean {
  return error instanceof Error && 'constraint' in error && error.constraint === 'users_email_key_key'
}
