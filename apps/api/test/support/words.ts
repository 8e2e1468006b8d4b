import { randomInt } from 'node:crypto'

const WORDS =
  'moon paper lamp river orange candle wooden harbor silver garden window little market summer yellow planet morning ribbon carpet bottle'.split(
    ' ',
  )

/** Returns random words that moderation accepts. Random letters are not used, because they could contain a bad word. */
export function sayNew(): string {
  return Array.from({ length: 12 }, () => WORDS[randomInt(WORDS.length)]).join(' ')
}
