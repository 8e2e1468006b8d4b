/** Letters that look like a Latin one, after compatibility forms (full-width, bold, …) are resolved. */
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
  // Armenian, Cherokee and letters of the like that are drawn as Latin ones
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
  // Digits, and signs drawn as letters or as one another
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

/** Pairs of letters that a small screen shows as one. */
const PAIRS: readonly (readonly [RegExp, string])[] = [
  [/rn/g, 'm'],
  [/vv/g, 'w'],
]

/** Capitals whose look-alike is not that of their small letter. */
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
 * What a username looks like: names that are easily taken for one another share it, whatever their case,
 * alphabet or accents. The table is our own small one, in the manner of Unicode TR39's skeleton.
 */
export function usernameKey(username: string): string {
  const bare = username.normalize('NFKD').replace(MARKED_LETTER, '$1')
  const latin = Array.from(bare, (letter) => CAPITALS[letter] ?? letter)
    .flatMap((letter) => Array.from(letter.toLowerCase()))
    .map((letter) => LOOK_ALIKES[letter] ?? letter)
    .join('')
  return PAIRS.reduce((key, [pair, letter]) => key.replace(pair, letter), latin).replace(/\s+/g, ' ')
}
