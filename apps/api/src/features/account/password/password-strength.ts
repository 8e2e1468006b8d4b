import type { ZxcvbnFactory } from '@zxcvbn-ts/core'
import { defineError } from '../../../errors.ts'

/**
 * Min number of guesses that a password must need. The estimate assumes that the attacker knows common passwords and
 * the player's name and address.
 */
const GUESSES_MIN = 3_000
/** Max number of leaked passwords that the scorer also finds inside longer passwords. */
const SCORED_LEAKED_MAX = 5_000
const LEAKED_LENGTH_MIN = 6
/**
 * Max number of scored characters and of l33t substitutions. The cost of scoring grows faster than the password's
 * length, and guests can cause this cost. With these limits, a check takes at most 3 ms. Without these limits, a check
 * of 40 characters with all substitutions took 26 ms.
 */
const SCORED_CHARACTERS_MAX = 20
const SUBSTITUTIONS_MAX = 32
/** Min number of distinct characters. Passwords with fewer distinct characters are rejected without scoring. */
const DISTINCT_MIN = 4
/**
 * Min length of the repeated part in a password that repeats one text. Repeats of a shorter part are rejected. Repeats
 * of a longer part are as strong as that part.
 */
const REPEATED_LENGTH_MIN = 5
const REPEATED = /^(.{1,100}?)\1+$/su
/** Min length of a personal word. Shorter words occur in too many good passwords. */
const PERSONAL_LENGTH_MIN = 3
const PRODUCT = 'papermoon'

/** Matches up to four digits or signs around a word, such as a year or an exclamation mark. */
const TRIMMINGS = /^[^\p{L}]{0,4}|[^\p{L}]{0,4}$/gu

/** The password has leaked, is easy to guess, or is personal data. */
export class WeakPasswordError extends defineError(
  'WEAK_PASSWORD',
  'This password is too easy to guess. Please choose another one.',
) {}

/**
 * Throws `WeakPasswordError` if a new password is one of 42,692 leaked ones or takes fewer than 3,000 guesses. Repeats,
 * keyboard runs, the product's name, and the `personal` texts (username, email address) take few guesses.
 */
export async function assertStrongPassword(password: string, personal: readonly string[]): Promise<void> {
  const whole = password.normalize('NFC')
  const part = REPEATED.exec(whole)?.[1] ?? whole
  if (part.length < REPEATED_LENGTH_MIN || new Set(part).size < DISTINCT_MIN) throw new WeakPasswordError()
  const words = toWords([PRODUCT, ...personal])
  if (isPersonal(whole, words) || isPersonal(part, words)) throw new WeakPasswordError()
  const { leaked, scorer } = await loadGuesses()
  if (leaked.has(whole.toLowerCase())) throw new WeakPasswordError()
  if (scorer.check(part.slice(0, SCORED_CHARACTERS_MAX), words).guesses < GUESSES_MIN) throw new WeakPasswordError()
}

/** Returns whether a text is one of these words, forwards or backwards, ignoring digits and signs around the text. */
function isPersonal(text: string, words: readonly string[]): boolean {
  const core = text.toLowerCase().replaceAll(TRIMMINGS, '')
  return words.some((word) => core === word || core === [...word].reverse().join(''))
}

/** Returns the texts and, for an email address, its parts before and after the @. */
function toWords(texts: readonly string[]): string[] {
  const parts = texts.flatMap((text) => [text, ...text.split('@')])
  return [...new Set(parts.map((part) => part.normalize('NFC').toLowerCase()))].filter(
    (part) => part.length >= PERSONAL_LENGTH_MIN,
  )
}

interface Guesses {
  /** Leaked passwords in lower case. */
  readonly leaked: ReadonlySet<string>
  readonly scorer: ZxcvbnFactory
}

let guesses: Promise<Guesses> | undefined

/** Loads the list of leaked passwords for the first new password, because the list takes 20 MB. */
function loadGuesses(): Promise<Guesses> {
  guesses ??= createGuesses()
  return guesses
}

async function createGuesses(): Promise<Guesses> {
  const [{ ZxcvbnFactory }, { adjacencyGraphs, dictionary }] = await Promise.all([
    import('@zxcvbn-ts/core'),
    import('@zxcvbn-ts/language-common'),
  ])
  const leaked = dictionary['passwords-common'].map(String).filter((word) => word.length >= LEAKED_LENGTH_MIN)
  const scorer = new ZxcvbnFactory({
    dictionary: { leaked: leaked.slice(0, SCORED_LEAKED_MAX) },
    graphs: adjacencyGraphs,
    maxLength: SCORED_CHARACTERS_MAX,
    l33tMaxSubstitutions: SUBSTITUTIONS_MAX,
  })
  return { leaked: new Set(leaked), scorer }
}
