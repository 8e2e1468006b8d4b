/** Marks that players write or paste in numbers, and what they mean. */
const MARKS: Readonly<Record<string, string>> = {
  '٫': '.',
  '．': '.',
  '，': ',',
  '٬': "'",
  ʼ: "'",
  '‘': "'",
  '＇': "'",
}

/** A text with the digits and marks of any script as ASCII: `۱۲٫۵` becomes `12.5`. Drops direction marks. */
export function toPlainDigits(text: string): string {
  return text
    .replace(/\p{Cf}/gu, '')
    .replace(/[٫．，٬ʼ‘＇]/g, (mark) => MARKS[mark] ?? mark)
    .replace(/(?!\d)\p{Nd}/gu, toDigit)
}

/** The ten digits of a script follow each other; where several scripts do, compatibility forms are ASCII. */
function toDigit(sign: string): string {
  const plain = sign.normalize('NFKC')
  if (/^\d$/.test(plain)) return plain
  const code = sign.codePointAt(0) ?? 0
  let digit = 0
  while (digit < 9 && /\p{Nd}/u.test(String.fromCodePoint(code - digit - 1))) digit++
  return String(digit)
}
