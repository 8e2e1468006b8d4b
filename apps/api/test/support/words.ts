import { randomInt } from 'node:crypto'

const WORDS =
  'moon paper lamp river orange candle wooden harbor silver garden window little market summer yellow planet morning ribbon carpet bottle'.split(
    ' ',
  )

/** Words that repeat nothing, and that no list holds back: letters of a random id may read as a bad word. */
export function sayNew(): string {
  return Array.from({ length: 12 }, () => WORDS[randomInt(WORDS.length)]).join(' ')
}
