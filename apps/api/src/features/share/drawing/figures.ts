import type { PriceParts } from '@papermoon/format'
import type { Movement } from '../card.ts'
import { colours } from './colours.ts'
import { emojiPicture } from './emoji-picture.ts'
import { MARGIN } from './scene.ts'
import { setText } from './set-text.ts'

/** Styles for lines of text. */
export const title = { size: 72, face: 'display', fill: colours.text, sizeMin: 42 } as const
export const strong = { face: 'strong', fill: colours.text } as const
export const plain = { face: 'plain', fill: colours.dim } as const

interface Box {
  readonly x: number
  /** Vertical position of the baseline, in pixels. */
  readonly y: number
  readonly size: number
}

const UNIT_SHARE = 0.5
const COUNT_SHARE = 0.55

interface LabelledFigure {
  readonly label: string
  readonly figure: string
  readonly unit?: string
  readonly x: number
  readonly y: number
  readonly widthMax: number
}

/** Draws a label with its number below it. */
export function labelledFigure({ label, figure, unit = '', x, y, widthMax }: LabelledFigure): string {
  const name = setText({ ...plain, text: label, x, y, size: 27 })
  const width = { widthMax: widthMax - (unit === '' ? 0 : 70), sizeMin: 30 }
  const value = setText({ ...strong, ...width, text: figure, x, y: y + 60, size: 54 })
  const after = { ...plain, text: unit, x: x + value.width + 12, y: y + 60, size: 28 }
  return name.svg + value.svg + (unit === '' ? '' : setText(after).svg)
}

/** Draws a price in SOL. A small subscript counts omitted zeros, as in the web app. */
export function priceFigure({ head, zeros, tail }: PriceParts, { x, y, size }: Box): string {
  let left = x
  let svg = ''
  const put = (text: string, share: number, drop: number, fill: string) => {
    const face = fill === colours.dim ? 'plain' : 'strong'
    const set = setText({ text, x: left, y: y + drop, size: size * share, face, fill })
    left += set.width
    svg += set.svg
  }
  put(head, 1, 0, colours.text)
  if (zeros !== null) {
    left += size * 0.02
    put(String(zeros), COUNT_SHARE, size * 0.16, colours.text)
    left += size * 0.03
    put(tail, 1, 0, colours.text)
  }
  left += size * 0.18
  put('SOL', UNIT_SHARE, 0, colours.dim)
  return svg
}

/** Draws a change of a value. The colour, the arrow and the sign of a change agree. */
export function movementFigure({ text, sign }: Movement, { x, y, size }: Box): string {
  const fill = sign === 0 ? colours.dim : sign > 0 ? colours.up : colours.down
  const side = size * 0.62
  const [top, bottom] = [y - side * 1.02, y - side * 0.08]
  const points =
    sign > 0
      ? `${x},${bottom} ${x + side},${bottom} ${x + side / 2},${top}`
      : `${x},${top} ${x + side},${top} ${x + side / 2},${bottom}`
  const arrow = sign === 0 ? '' : `<polygon points="${points}" fill="${fill}"/>`
  const left = sign === 0 ? x : x + side + size * 0.24
  return arrow + setText({ text, x: left, y, size, face: 'strong', fill }).svg
}

interface Head {
  readonly emoji: string
  readonly name: string
  readonly symbol: string
  readonly by: string
}

/** Draws a large emoji with a name. The line below the name contains the symbol and a few words. */
export function head({ emoji, name, symbol, by }: Head): string {
  const [x, widthMax] = [244, 720]
  const short = setText({ ...strong, text: symbol, x, y: 190, size: 36, fill: colours.moon })
  const beside = { x: x + short.width + 20, y: 190, size: 30, widthMax: widthMax - short.width - 20, sizeMin: 24 }
  return `${emojiPicture(emoji, { x: MARGIN, y: 66, size: 140 })}
${setText({ ...title, text: name, x, y: 128, widthMax }).svg}${short.svg}${setText({ ...plain, ...beside, text: by }).svg}`
}
