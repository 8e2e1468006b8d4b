import type { TokenCard } from '../card.ts'
import { CARD_WIDTH } from '../card.ts'
import { colours } from './colours.ts'
import { head, labelledFigure, movementFigure, plain, priceFigure, strong } from './figures.ts'
import { hungMoon, MARGIN, scene } from './scene.ts'
import { setText } from './set-text.ts'

const LINE = { left: 740, right: CARD_WIDTH - MARGIN - 8, top: 262, bottom: 462 } as const

/** Draws a token with its emoji, price and price line. */
export function drawToken(card: TokenCard): string {
  const price = setText({ ...plain, text: 'Price', x: MARGIN, y: 284, size: 27 })
  const change = setText({ ...plain, text: '24 hours', x: MARGIN, y: 414, size: 27 })
  return scene(`${hungMoon(1010, 44, 132)}
${head({ ...card, by: `by ${card.creator}` })}
${price.svg}${priceFigure(card.price, { x: MARGIN, y: 354, size: 74 })}
${change.svg}${movementFigure(card.change, { x: MARGIN, y: 474, size: 54 })}
${labelledFigure({ label: 'Market cap', figure: card.marketCap, x: 446, y: 414, widthMax: 260 })}
${priceLine(card)}${card.isRugged ? stamp() : ''}${card.seal === null ? '' : waxSeal()}${momentLine(card.moment ?? card.seal ?? '')}`)
}

function priceLine({ line, change, isRugged }: TokenCard): string {
  const { left, right, top, bottom } = LINE
  const step = (right - left) / Math.max(line.length - 1, 1)
  const points = line.map(
    (share, index) => `${(left + index * step).toFixed(1)} ${(bottom - share * (bottom - top)).toFixed(1)}`,
  )
  const fill = isRugged || change.sign < 0 ? colours.down : change.sign > 0 ? colours.up : colours.moon
  const path = `M${points.join('L')}`
  const [endX = '', endY = ''] = points.at(-1)?.split(' ') ?? []
  return `<defs><linearGradient id="under" x1="0" y1="0" x2="0" y2="1"><stop offset="0" stop-color="${fill}" stop-opacity="0.34"/><stop offset="1" stop-color="${fill}" stop-opacity="0"/></linearGradient></defs>
<path d="${path}L${right} ${bottom + 34}L${left} ${bottom + 34}Z" fill="url(#under)"/>
<path d="${path}" fill="none" stroke="${fill}" stroke-width="5" stroke-linejoin="round" stroke-linecap="round"/>
<circle cx="${endX}" cy="${endY}" r="9" fill="${fill}"/>`
}

/** Draws a line above the price line: the time of a past state, or the time until which the token is sealed. */
function momentLine(moment: string): string {
  const place = { x: LINE.right + 8, y: LINE.top - 26, size: 27, anchor: 'end' } as const
  return setText({ ...strong, ...place, text: moment, fill: colours.moon }).svg
}

/** Draws a wax seal on the corner of the emoji, as on the web app's cards. */
function waxSeal(): string {
  return `<g transform="translate(${MARGIN + 78} 150) rotate(-12) scale(3)"><path d="${WAX}" fill="${colours.wax}"/><circle cx="12" cy="12" r="7.4" fill="none" stroke="#973b2c" stroke-width="1.1"/><path d="M13.6 7.4a4.9 4.9 0 1 0 3.3 7.6a4.2 4.2 0 0 1-3.3-7.6Z" fill="${colours.text}"/></g>`
}
const WAX =
  'M15.6 2.8A4.4 4.4 0 0 1 21.1 7.0A4.4 4.4 0 0 1 21.5 13.9A4.4 4.4 0 0 1 18.4 20.0A4.4 4.4 0 0 1 11.8 22.0A4.4 4.4 0 0 1 5.7 19.2A4.4 4.4 0 0 1 1.7 13.6A4.4 4.4 0 0 1 3.6 6.9A4.4 4.4 0 0 1 8.7 2.2A4.4 4.4 0 0 1 15.6 2.8Z'

function stamp(): string {
  const [x, y] = [(LINE.left + LINE.right) / 2, 372]
  const word = setText({ ...strong, text: 'RUGGED', x: 0, y: 27, size: 76, fill: colours.down, anchor: 'middle' })
  const half = word.width / 2 + 28
  return `<g transform="translate(${x} ${y}) rotate(-8)"><rect x="${-half}" y="-58" width="${half * 2}" height="116" rx="14" fill="${colours.raised}" stroke="${colours.down}" stroke-width="6"/>${word.svg}</g>`
}
