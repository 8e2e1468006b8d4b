/** Separators that players type or paste in numbers, with their ASCII equivalents. */
const MARKS: Readonly<Record<string, string>> = {
  '٫': '.',
  '．': '.',
  '，': ',',
  '٬': "'",
  ʼ: "'",
  '‘': "'",
  '＇': "'",
}

/** Converts digits and separators of any script to ASCII: `۱۲٫۵` becomes `12.5`. Removes direction marks. */
export function toPlainDigits(text: string): string {
  return text
    .replace(/\p{Cf}/gu, '')
    .replace(/[٫．，٬ʼ‘＇]/g, (mark) => MARKS[mark] ?? mark)
    .replace(/(?!\d)\p{Nd}/gu, toDigit)
}

/**
 * Converts a digit to ASCII. The ten digits of each script follow each other in Unicode. In Unicode ranges with several
 * digit sets, NFKC converts the digits.
 */
function toDigit(sign: string): string {
  const plain = sign.normalize('NFKC')
  if (/^\d$/.test(plain)) return plain
  const code = sign.codePointAt(0) ?? 0
  let digit = 0
  while (digit < 9 && /\p{Nd}/u.test(String.fromCodePoint(code - digit - 1))) digit++
  return String(digit)
}
