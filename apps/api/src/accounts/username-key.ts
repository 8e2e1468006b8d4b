/** Letters and what they look like, after compatibility forms (full-width, bold, …) are resolved. */
const LOOK_ALIKES: Readonly<Record<string, string>> = {
  // Cyrillic
  а: 'a',
  в: 'b',
  с: 'c',
  ԁ: 'd',
  е: 'e',
  ѐ: 'e',
  ё: 'e',
  һ: 'h',
  н: 'h',
  і: 'l',
  ї: 'l',
  ј: 'j',
  к: 'k',
  ӏ: 'l',
  м: 'm',
  о: 'o',
  р: 'p',
  ԛ: 'q',
  г: 'r',
  ѕ: 's',
  т: 't',
  ѵ: 'v',
  ԝ: 'w',
  х: 'x',
  у: 'y',
  ү: 'y',
  з: '3',
  п: 'n',
  // Greek
  α: 'a',
  β: 'b',
  ϲ: 'c',
  ε: 'e',
  η: 'n',
  ι: 'l',
  κ: 'k',
  μ: 'u',
  ν: 'v',
  ο: 'o',
  ρ: 'p',
  σ: 'o',
  ς: 'c',
  τ: 't',
  υ: 'u',
  χ: 'x',
  γ: 'y',
  ω: 'w',
  ζ: 'z',
  // Latin letters of other alphabets and of phonetics
  ı: 'l',
  ȷ: 'j',
  ɑ: 'a',
  ɡ: 'g',
  ɩ: 'l',
  ɪ: 'l',
  ʟ: 'l',
  ƅ: 'b',
  ɴ: 'n',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ħ: 'h',
  ŧ: 't',
  ʏ: 'y',
  // Armenian, Cherokee and others drawn like Latin letters
  օ: 'o',
  ս: 'u',
  հ: 'h',
  ո: 'n',
  զ: 'q',
  ց: 'g',
  յ: 'j',
  ꭰ: 'd',
  ꮯ: 'c',
  ꮪ: 's',
  // Digits, and signs that look like letters or like each other
  '0': 'o',
  '1': 'l',
  i: 'l',
  '|': 'l',
  '!': 'l',
  $: 's',
  '@': 'a',
  '‐': '-',
  '‑': '-',
  '‒': '-',
  '–': '-',
  '—': '-',
  '−': '-',
  '’': "'",
  '‘': "'",
  '`': "'",
  '´': "'",
}

/** Pairs of letters that look like one on a small screen. */
const PAIRS: readonly (readonly [RegExp, string])[] = [
  [/rn/g, 'm'],
  [/vv/g, 'w'],
]

/** Capitals that look different from their small letter. */
const CAPITALS: Readonly<Record<string, string>> = {
  Ν: 'n',
  Η: 'h',
  Μ: 'm',
  Ρ: 'p',
  Χ: 'x',
  Υ: 'y',
  В: 'b',
  Н: 'h',
  Ѕ: 's',
  Ζ: 'z',
  Τ: 't',
  Β: 'b',
  Σ: 'e',
  І: 'l',
}

const MARKED_LETTER = /([\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}])\p{M}+/gu

/**
 * A key that look-alike usernames share, whatever their case, alphabet or accents. A small table of our own, in the
 * manner of the skeleton of Unicode TR39.
 */
export function usernameKey(username: string): string {
  const bare = username.normalize('NFKD').replace(MARKED_LETTER, '$1')
  const latin = Array.from(bare, (letter) => CAPITALS[letter] ?? letter)
    .flatMap((letter) => Array.from(letter.toLowerCase()))
    .map((letter) => LOOK_ALIKES[letter] ?? letter)
    .join('')
  return PAIRS.reduce((key, [pair, letter]) => key.replace(pair, letter), latin).replace(/\s+/g, ' ')
}
