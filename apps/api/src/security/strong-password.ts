import type { ZxcvbnFactory } from '@zxcvbn-ts/core'
import { DomainError } from '../errors.ts'

/** Guesses that a password must withstand: those of whoever knows the common ones and who it is for. */
const GUESSES_MIN = 3_000
/** More of the list than is refused by itself, since parts of a password may stand in it. */
const COMMON_MAX = 5_000
const COMMON_LENGTH_MIN = 6
/** What follows is not scored: the work grows faster than the length. A password is as strong as its beginning. */
const SCORED_CHARACTERS_MAX = 40
/** Of a name or an address; shorter parts are in too many good passwords. */
const PERSONAL_LENGTH_MIN = 3
const PRODUCT = 'papermoon'

/** Signs and digits, a few, around a word: the year, an exclamation mark. */
const TRIMMINGS = /^[^\p{L}]{0,4}|[^\p{L}]{0,4}$/gu

/** A password that stands in the lists of whoever guesses, or says whose it is. */
export class WeakPasswordError extends DomainError {
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
  const words = toWords([PRODUCT, ...personal])
  const begin = password.normalize('NFC').slice(0, SCORED_CHARACTERS_MAX)
  const core = begin.toLowerCase().replaceAll(TRIMMINGS, '')
  const scorer = await loadScorer()
  const isNamed = words.some((word) => core === word || core === [...word].reverse().join(''))
  if (isNamed || scorer.check(begin, words).guesses < GUESSES_MIN) throw new WeakPasswordError()
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
  })
}
