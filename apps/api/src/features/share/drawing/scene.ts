import { CARD_HEIGHT, CARD_WIDTH } from '../card.ts'
import { colours } from './colours.ts'
import { moon } from './emoji-picture.ts'
import { setText } from './set-text.ts'

/** Margin at the left and right, in pixels. */
export const MARGIN = 72
const HILLS_TOP = 520

const STARS = [
  [96, 44, 2],
  [250, 30, 1.5],
  [418, 58, 2],
  [560, 26, 1.5],
  [742, 40, 2],
  [860, 90, 1.5],
  [1012, 28, 2],
  [1160, 222, 2],
  [1130, 300, 1.5],
  [36, 250, 1.5],
  [30, 420, 2],
] as const

/** Draws the background with sky, hills and the product's name. Draws `front` on top of the background. */
export function scene(front: string): string {
  const stars = STARS.map(([x, y, r]) => `<circle cx="${x}" cy="${y}" r="${r}" fill="${colours.text}" opacity="0.5"/>`)
  return `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="${CARD_WIDTH}" height="${CARD_HEIGHT}" viewBox="0 0 ${CARD_WIDTH} ${CARD_HEIGHT}">
<defs><linearGradient id="sky" x1="0" y1="0" x2="0" y2="1"><stop offset="0" stop-color="${colours.skyHigh}"/><stop offset="1" stop-color="${colours.skyLow}"/></linearGradient></defs>
<rect width="${CARD_WIDTH}" height="${CARD_HEIGHT}" fill="url(#sky)"/>
${stars.join('')}
<path d="M0 ${HILLS_TOP + 8}Q150 ${HILLS_TOP - 32} 330 ${HILLS_TOP + 6}T640 ${HILLS_TOP - 2}T930 ${HILLS_TOP - 6}T1200 ${HILLS_TOP - 16}V${CARD_HEIGHT}H0Z" fill="${colours.hillMid}"/>
<path d="M0 ${HILLS_TOP + 34}Q180 ${HILLS_TOP + 6} 400 ${HILLS_TOP + 26}T780 ${HILLS_TOP + 16}T1200 ${HILLS_TOP + 20}V${CARD_HEIGHT}H0Z" fill="${colours.hillNear}"/>
${front}
${brand()}
</svg>`
}

function brand(): string {
  const y = 598
  const name = setText({ text: 'Papermoon', x: MARGIN + 54, y, size: 40, face: 'display', fill: colours.text })
  const lead = setText({
    text: 'a simulated launchpad: play money, real nerves',
    x: CARD_WIDTH - MARGIN,
    y: y - 2,
    size: 25,
    face: 'plain',
    fill: colours.dim,
    anchor: 'end',
  })
  return moon({ x: MARGIN, y: y - 38, size: 46 }) + name.svg + lead.svg
}

/** Draws a moon that hangs on a string from the top. */
export function hungMoon(x: number, y: number, size: number): string {
  const stringX = x + size * 0.52
  return `<path d="M${stringX} 0V${y + size * 0.1}" stroke="${colours.line}" stroke-width="3"/>${moon({ x, y, size })}`
}
