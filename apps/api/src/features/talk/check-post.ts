import { createHash } from 'node:crypto'
import { englishDataset, englishRecommendedTransformers, RegExpMatcher } from 'obscenity'
import { usernameKey } from '../account/public.ts'

/** Min number of letters and digits for a text to count as a repeat. Shorter texts are too common to be repeats. */
const REPEAT_LETTERS_MIN = 8
/** Min part of their three-letter pieces that two texts must share to be similar. */
const NEAR = 0.8
const PIECE = 3

const english = new RegExpMatcher({ ...englishDataset.build(), ...englishRecommendedTransformers })

/** Returns the letters and digits of a text in lower case, with look-alikes replaced. */
export function toBareText(text: string): string {
  // Remove a sign at the end of a word. Without this step, the sign would count as the letter that it looks like.
  return usernameKey(text.replaceAll(/[!|.,;:?]+(?=\s|$)/g, '')).replaceAll(/[^\p{L}\p{N}]/gu, '')
}

/** Returns whether a text is too short to count as a repeat. */
export function isShort(text: string): boolean {
  return [...toBareText(text)].length < REPEAT_LETTERS_MIN
}

/** Returns 48 bits of a text's hash. The bits are equal for texts that look alike. */
export function toSkeleton(text: string): number {
  return createHash('sha256')
    .update(isShort(text) ? text : toBareText(text))
    .digest()
    .readUIntBE(0, 6)
}

/** Returns whether two texts are similar: a few letters were changed, added or moved. */
export function isNear(a: string, b: string): boolean {
  const [left, right] = [toPieces(a), toPieces(b)]
  if (left.size < REPEAT_LETTERS_MIN || right.size < REPEAT_LETTERS_MIN) return false
  const common = [...left].filter((piece) => right.has(piece)).length
  return (2 * common) / (left.size + right.size) >= NEAR
}

function toPieces(text: string): Set<string> {
  const bare = [...toBareText(text)]
  return new Set(bare.slice(PIECE - 1).map((_, index) => bare.slice(index, index + PIECE).join('')))
}

/** Matches separators between single letters, as in `s p a m`. */
const BETWEEN_LETTERS = /(?<=(?<!\p{L})\p{L})[^\p{L}\p{N}]+(?=\p{L}(?!\p{L}))/gu
/**
 * Maps small capitals and the iota to letters. Neither Unicode normalization nor the word list replaces these
 * look-alikes.
 */
const ALIKE = Object.fromEntries(
  [...'ᴀʙᴄᴅᴇꜰɢʜɪᴊᴋʟᴍɴᴏᴘʀꜱᴛᴜᴠᴡʏᴢι'].map((sign, at) => [sign, 'abcdefghijklmnoprstuvwyzi'[at]]),
)

/** Returns a text without accents, font styles, small capitals and invisible characters. */
function toPlainText(text: string): string {
  const bare = text.normalize('NFKD').replaceAll(/[\p{M}\p{Cf}]/gu, '')
  return Array.from(bare, (sign) => ALIKE[sign] ?? sign).join('')
}

/** Returns whether a text contains a word from the list or an operator's word, even if it is disguised. */
export function hasHeldWord(text: string, words: readonly string[]): boolean {
  const plain = toPlainText(text)
  if ([text, plain, plain.replaceAll(BETWEEN_LETTERS, '')].some((form) => english.hasMatch(form))) return true
  const bare = toBareText(text)
  return words.some((word) => bare.includes(toBareText(word)))
}

/** Matches a URL, which is a text with a scheme, a path, or a common top-level domain. */
const LINK =
  /(?:https?:\/\/|www\.)\S+|(?<![\p{L}\p{N}])[\p{L}\p{N}-]+\.(?:\p{L}{2,}\/\S|(?:com|net|org|io|xyz|gg|me|app|fun|co|ru|info|site|top|ai|dev|cc|tv|biz|shop|online|live|pro|club|vip|win|bet|finance|exchange|link|page|wtf|lol|sol|eth)(?![\p{L}\p{N}]))\S*/giu

/** Returns whether a text contains a URL of another site. */
export function hasForeignLink(text: string, ownHost: string | null): boolean {
  return [...text.normalize('NFKC').matchAll(LINK)].some(([found]) => {
    const address = /^https?:/i.test(found) ? found : `https://${found}`
    return !URL.canParse(address) || new URL(address).host !== ownHost
  })
}
