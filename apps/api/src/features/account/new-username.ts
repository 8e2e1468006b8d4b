import { words } from '@papermoon/contract/words'
import { BadInputError, defineError } from '../../errors.ts'
import { usernameKey } from './username-key.ts'

export class UsernameTakenError extends defineError(
  'USERNAME_TAKEN',
  'This username, or one that looks like it, is already taken.',
) {}

/** Words which suggest that a name speaks for the operator. A name made only of these words is reserved. */
const RESERVED = words(
  'admin administrator mod moderator support helpdesk system official staff team',
  'operator root security papermoon treasury house deletedplayer',
)
const RESERVED_NAME = new RegExp(`^(?:the)?(?:${RESERVED.map(toBareKey).join('|')})+$`)

/** Scripts that UAX 31 recommends for identifiers. Letters of other scripts can look like Latin letters. */
const SCRIPTS = words(
  'Arabic Armenian Bengali Bopomofo Cyrillic Devanagari Ethiopic Georgian Greek Gujarati Gurmukhi Han Hangul Hebrew',
  'Hiragana Kannada Katakana Khmer Lao Latin Malayalam Myanmar Oriya Sinhala Tamil Telugu Thaana Thai Tibetan',
)
/** Scripts that may be mixed, by the "highly restrictive" level of UTS 39: one script, or one of these combinations. */
const TOGETHER = [words('Latin Han Hiragana Katakana'), words('Latin Han Bopomofo'), words('Latin Han Hangul')]
/** Each pattern is one character class without alternatives, so matching takes linear time in the name's length. */
const MIXES = [...SCRIPTS.map((script) => [script]), ...TOGETHER].map(
  (scripts) => new RegExp(`^[${toClasses(scripts)}\\p{sc=Common}\\p{sc=Inherited}[^\\p{L}\\p{M}]]*$`, 'v'),
)

/** Matches phonetic letters and small capitals, except letters of living languages. */
const TECHNICAL = /[[\u0250-\u02af\u1d00-\u1dbf\ua720-\ua7ff\uab30-\uab6f]--[ɓɔɖɗəɛɣɨɩɲʉʊʋʒ]]/v

/**
 * Rejects a new username that seems to speak for the operator, or that mixes scripts or uses phonetic letters to look
 * like another (UTS 39). Existing names stay. Throws `UsernameTakenError` and `BadInputError`.
 */
export function assertNewUsername(username: string): void {
  if (RESERVED_NAME.test(toBareKey(username))) throw new UsernameTakenError()
  const written = username.normalize('NFC')
  if (TECHNICAL.test(written) || !MIXES.some((mix) => mix.test(written))) {
    throw new BadInputError('username must use the letters of one alphabet.')
  }
}

/** Returns a name's look-alike key, reduced to letters and digits. */
function toBareKey(name: string): string {
  return usernameKey(name).replaceAll(/[^\p{L}\p{N}]/gu, '')
}

function toClasses(scripts: readonly string[]): string {
  return scripts.map((script) => `\\p{scx=${script}}`).join('')
}
