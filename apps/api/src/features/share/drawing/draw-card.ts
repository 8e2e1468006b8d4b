import { Resvg } from '@resvg/resvg-js'
import type { Card } from '../card.ts'
import { colours } from './colours.ts'
import { drawBoard } from './draw-board.ts'
import { drawPlayer } from './draw-player.ts'
import { drawSticker } from './draw-sticker.ts'
import { drawToken } from './draw-token.ts'
import { drawWin } from './draw-win.ts'
import { hungMoon, MARGIN, scene } from './scene.ts'
import { setText } from './set-text.ts'

const WORDS = [
  { text: 'trade like', y: 190 },
  { text: 'a millionaire', y: 292 },
]
const LEAD = ['A simulated launchpad with off-chain', 'AMM trading and real-time charts.']

function drawHome(): string {
  const words = WORDS.map((line) => setText({ ...line, x: MARGIN, size: 100, face: 'display', fill: colours.moon }).svg)
  const lead = LEAD.map(
    (text, index) => setText({ text, x: MARGIN, y: 372 + index * 46, size: 36, face: 'plain', fill: colours.text }).svg,
  )
  return scene(`${hungMoon(810, 90, 300)}${words.join('')}${lead.join('')}`)
}

/**
 * Draws a card as a PNG. `picture` is the player's profile picture as a PNG. Needs no system fonts, since text is drawn
 * as outlines.
 */
export function drawCard(card: Card, picture: Uint8Array | null): Uint8Array {
  const svg = new Resvg(toSvg(card, picture), { font: { loadSystemFonts: false } })
  return svg.render().asPng()
}

function toSvg(card: Card, picture: Uint8Array | null): string {
  if (card.kind === 'token') return drawToken(card)
  if (card.kind === 'player') return drawPlayer(card, picture)
  if (card.kind === 'win') return drawWin(card)
  if (card.kind === 'sticker') return drawSticker(card)
  return card.kind === 'board' ? drawBoard(card) : drawHome()
}
