import type { ZxcvbnFactory } from '@zxcvbn-ts/core'
import { ApiError } from '../errors.ts'

/** Guesses that a password must withstand: those of whoever knows the common ones and who it is for. */
const GUESSES_MIN = 3_000
/** More of the list than is refused by itself, since parts of a password may stand in it. */
const COMMON_MAX = 5_000
const COMMON_LENGTH_MIN = 6
/**
 * What follows is not scored, and of digits and signs read as letters not every reading: the work grows faster than the
 * length, and guests ask for it. A check takes 3 ms of a core at most so; 40 characters in all readings took 26.
 */
const SCORED_CHARACTERS_MAX = 20
const READINGS_MAX = 32
/** Fewer different characters are refused before anything is scored, however many there are. */
const DISTINCT_MIN = 4
/** So is a short part that is written again and again; a longer one is as strong as it is when written once. */
const REPEATED_LENGTH_MIN = 5
const REPEATED = /^(.{1,100}?)\1+$/su
/** Of a name or an address; shorter parts are in too many good passwords. */
const PERSONAL_LENGTH_MIN = 3
const PRODUCT = 'papermoon'

/** Signs and digits, a few, around a word: the year, an exclamation mark. */
const TRIMMINGS = /^[^\p{L}]{0,4}|[^\p{L}]{0,4}$/gu

/** A password that stands in the lists of whoever guesses, or says whose it is. */
export class WeakPasswordError extends ApiError {
  readonly code = 'WEAK_PASSWORD'
  constructor() {
    super('This password is too easy to guess. Please choose another one.')
  }
}

/**
 * Refuses a new password that takes less than 3,000 guesses: common ones, repeats, runs of keys, the product's name, and
 * the `personal` texts (username, e-mail address) with a few digits or signs around them. Nothing leaves this process.
 * Throws `WeakPasswordError`.
 */
export async function assertStrongPassword(password: string, personal: readonly string[]): Promise<void> {
  const whole = password.normalize('NFC')
  const part = REPEATED.exec(whole)?.[1] ?? whole
  if (part.length < REPEATED_LENGTH_MIN || new Set(part).size < DISTINCT_MIN) throw new WeakPasswordError()
  const words = toWords([PRODUCT, ...personal])
  if (isNamed(whole, words) || isNamed(part, words)) throw new WeakPasswordError()
  const scorer = await loadScorer()
  if (scorer.check(part.slice(0, SCORED_CHARACTERS_MAX), words).guesses < GUESSES_MIN) throw new WeakPasswordError()
}

/** Whether a text is one of these words, forwards or backwards, but for what is around it. */
function isNamed(text: string, words: readonly string[]): boolean {
  const core = text.toLowerCase().replaceAll(TRIMMINGS, '')
  return words.some((word) => core === word || core === [...word].reverse().join(''))
}

/** A text, and the parts of an address before and after its @. */
function toWords(texts: readonly string[]): string[] {
  const parts = texts.flatMap((text) => [text, ...text.split('@')])
  return [...new Set(parts.map((part) => part.normalize('NFC').toLowerCase()))].filter(
    (part) => part.length >= PERSONAL_LENGTH_MIN,
  )
}

let scorer: Promise<ZxcvbnFactory> | undefined

/** The list takes 20 MB and some milliseconds to load, so it comes with the first new password. */
function loadScorer(): Promise<ZxcvbnFactory> {
  scorer ??= makeScorer()
  return scorer
}

async function makeScorer(): Promise<ZxcvbnFactory> {
  const [{ ZxcvbnFactory }, { adjacencyGraphs, dictionary }] = await Promise.all([
    import('@zxcvbn-ts/core'),
    import('@zxcvbn-ts/language-common'),
  ])
  const common = dictionary['passwords-common'].filter((word) => String(word).length >= COMMON_LENGTH_MIN)
  return new ZxcvbnFactory({
    dictionary: { common: common.slice(0, COMMON_MAX) },
    graphs: adjacencyGraphs,
    maxLength: SCORED_CHARACTERS_MAX,
    l33tMaxSubstitutions: READINGS_MAX,
  })
}
