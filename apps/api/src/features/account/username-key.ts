import { UNSEEN } from '@papermoon/contract/text'

/**
 * Characters that look alike, by the letter that they look like, after compatibility forms (full-width, bold, …) are
 * resolved: Cyrillic, Greek, Armenian, Cherokee, Latin letters of other alphabets, phonetic letters, digits and signs.
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

/** Pairs of letters that look like one letter on a small screen. */
const PAIRS: readonly (readonly [RegExp, string])[] = [
  [/rn/g, 'm'],
  [/vv/g, 'w'],
]

/** Capitals that look different from their small letter. */
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

/**
 * Returns a key that look-alike usernames share, whatever their case, alphabet, accents or joiners. Uses our own small
 * table, which works like the skeleton in Unicode TR39.
 */
export function usernameKey(username: string): string {
  const bare = username.normalize('NFKD').replaceAll(UNSEEN, '').replace(MARKED_LETTER, '$1')
  const latin = Array.from(bare, (letter) => CAPITALS[letter] ?? letter)
    .flatMap((letter) => Array.from(letter.toLowerCase()))
    .map((letter) => LOOK_ALIKES[letter] ?? letter)
    .join('')
  return PAIRS.reduce((key, [pair, letter]) => key.replace(pair, letter), latin).replace(/\s+/g, ' ')
}
