import { createHash } from 'node:crypto'
import { englishDataset, englishRecommendedTransformers, RegExpMatcher } from 'obscenity'
import { usernameKey } from '../account/public.ts'

/** A text of fewer letters says too little to be a repeat. */
const REPEAT_LETTERS_MIN = 8
/** Share of three-letter pieces that two texts have in common. */
const NEAR = 0.8
const PIECE = 3

const english = new RegExpMatcher({ ...englishDataset.build(), ...englishRecommendedTransformers })

/** What a text says once look-alikes, case, spaces and signs are taken away. */
export function toBareText(text: string): string {
  // A sign at the end of a word is no letter, though it looks like one.
  return usernameKey(text.replaceAll(/[!|.,;:?]+(?=\s|$)/g, '')).replaceAll(/[^\p{L}\p{N}]/gu, '')
}

/** Whether a text says so little that many say it. */
export function isShort(text: string): boolean {
  return [...toBareText(text)].length < REPEAT_LETTERS_MIN
}

/** Equal for texts that read alike: 48 bits of their hash. Short ones are compared as they are. */
export function toSkeleton(text: string): number {
  return createHash('sha256')
    .update(isShort(text) ? text : toBareText(text))
    .digest()
    .readUIntBE(0, 6)
}

/** Whether two texts are nearly the same: a few letters changed, added or put elsewhere. */
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

/** What keeps single letters apart. */
const BETWEEN_LETTERS = /(?<=(?<!\p{L})\p{L})[^\p{L}\p{N}]+(?=\p{L}(?!\p{L}))/gu
/** Look-alikes that neither compatibility forms nor the list's own table resolve: small capitals and the iota. */
const ALIKE = Object.fromEntries(
  [...'ᴀʙᴄᴅᴇꜰɢʜɪᴊᴋʟᴍɴᴏᴘʀꜱᴛᴜᴠᴡʏᴢι'].map((sign, at) => [sign, 'abcdefghijklmnoprstuvwyzi'[at]]),
)

/** A text without accents, fonts, small capitals and what nobody sees. */
function toPlainText(text: string): string {
  const bare = text.normalize('NFKD').replaceAll(/[\p{M}\p{Cf}]/gu, '')
  return Array.from(bare, (sign) => ALIKE[sign] ?? sign).join('')
}

/** Whether a text holds a word of the list, or one of the operator's, however it is disguised. */
export function hasHeldWord(text: string, words: readonly string[]): boolean {
  const plain = toPlainText(text)
  if ([text, plain, plain.replaceAll(BETWEEN_LETTERS, '')].some((form) => english.hasMatch(form))) return true
  const bare = toBareText(text)
  return words.some((word) => bare.includes(toBareText(word)))
}

/** An address: with a scheme, with a path, or under one of the domains that such sites have. */
const LINK =
  /(?:https?:\/\/|www\.)\S+|(?<![\p{L}\p{N}])[\p{L}\p{N}-]+\.(?:\p{L}{2,}\/\S|(?:com|net|org|io|xyz|gg|me|app|fun|co|ru|info|site|top|ai|dev|cc|tv|biz|shop|online|live|pro|club|vip|win|bet|finance|exchange|link|page|wtf|lol|sol|eth)(?![\p{L}\p{N}]))\S*/giu

/** Whether a text has an address of another site. */
export function hasForeignLink(text: string, ownHost: string | null): boolean {
  return [...text.normalize('NFKC').matchAll(LINK)].some(([found]) => {
    const address = /^https?:/i.test(found) ? found : `https://${found}`
    return !URL.canParse(address) || new URL(address).host !== ownHost
  })
}
