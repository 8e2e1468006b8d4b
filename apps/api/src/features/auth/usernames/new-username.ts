import { BadInputError } from '../../../errors.ts'
import { UsernameTakenError } from '../errors.ts'
import { usernameKey } from './username-key.ts'

/** Who speaks for the house; a name made of these alone belongs to nobody. */
const RESERVED = [
  ...['admin', 'administrator', 'mod', 'moderator', 'support', 'helpdesk', 'system', 'official', 'staff', 'team'],
  ...['operator', 'root', 'security', 'papermoon', 'treasury', 'house', 'deletedplayer'],
]
const RESERVED_NAME = new RegExp(`^(?:the)?(?:${RESERVED.map(toBareKey).join('|')})+$`)

/** The scripts that UAX 31 recommends for names; of others, letters are drawn as ours are. */
const SCRIPTS = [
  ...[
    'Arabic',
    'Armenian',
    'Bengali',
    'Bopomofo',
    'Cyrillic',
    'Devanagari',
    'Ethiopic',
    'Georgian',
    'Greek',
    'Gujarati',
  ],
  ...['Gurmukhi', 'Han', 'Hangul', 'Hebrew', 'Hiragana', 'Kannada', 'Katakana', 'Khmer', 'Lao', 'Latin', 'Malayalam'],
  ...['Myanmar', 'Oriya', 'Sinhala', 'Tamil', 'Telugu', 'Thaana', 'Thai', 'Tibetan'],
]
/** UTS 39's "highly restrictive": one script, or one of these together. */
const TOGETHER = [
  ['Latin', 'Han', 'Hiragana', 'Katakana'],
  ['Latin', 'Han', 'Bopomofo'],
  ['Latin', 'Han', 'Hangul'],
]
/** One class, no alternatives: a name is read once, however it is written. */
const MIXES = [...SCRIPTS.map((script) => [script]), ...TOGETHER].map(
  (scripts) => new RegExp(`^[${toClasses(scripts)}\\p{sc=Common}\\p{sc=Inherited}[^\\p{L}\\p{M}]]*$`, 'v'),
)

/** Letters of phonetics, small capitals among them; those that languages are written with are free. */
const TECHNICAL = /[[\u0250-\u02af\u1d00-\u1dbf\ua720-\ua7ff\uab30-\uab6f]--[ɓɔɖɗəɛɣɨɩɲʉʊʋʒ]]/v

/**
 * Refuses a new account's name that speaks for the house, or that is written to be taken for another: in several
 * alphabets, or in letters of phonetics (UTS 39). Names that exist stay. Throws `UsernameTakenError` and `BadInputError`.
 */
export function assertNewUsername(username: string): void {
  if (RESERVED_NAME.test(toBareKey(username))) throw new UsernameTakenError()
  const written = username.normalize('NFC')
  if (TECHNICAL.test(written) || !MIXES.some((mix) => mix.test(written))) {
    throw new BadInputError('username must be written in the letters of one alphabet.')
  }
}

/** What a name looks like, without what stands between its letters. */
function toBareKey(name: string): string {
  return usernameKey(name).replaceAll(/[^\p{L}\p{N}]/gu, '')
}

function toClasses(scripts: readonly string[]): string {
  return scripts.map((script) => `\\p{scx=${script}}`).join('')
}
