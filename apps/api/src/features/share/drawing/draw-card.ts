import { Resvg } from '@resvg/resvg-js'
import { CARD_WIDTH, type Card, type StickerCard, type WinCard } from '../card.ts'
import { colours } from './colours.ts'
import { drawBoard } from './draw-board.ts'
import { drawPlayer } from './draw-player.ts'
import { drawToken } from './draw-token.ts'
import { emojiPicture } from './emoji-picture.ts'
import { head, labelledFigure, movementFigure, plain, strong, title } from './figures.ts'
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
 * Draws a card as a PNG. `picture` is the player's profile picture as a PNG. Text is drawn as outlines, so no system
 * fonts are needed.
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

const STAMP = { x: 200, y: 300, radius: 130 }

/** Draws a sticker as a paper stamp, and the rule by which it was earned. */
function drawSticker({ emoji, name, rule, username }: StickerCard): string {
  const { x, y, radius } = STAMP
  const left = x + radius + 60
  const line = { x: left, widthMax: CARD_WIDTH - left - MARGIN, sizeMin: 22 }
  const large = setText({ ...title, ...line, text: name, y: 290, size: 76, sizeMin: 40 })
  const earned = setText({ ...plain, ...line, text: rule, y: 350, size: 32 })
  const player = setText({ ...strong, ...line, text: `earned by ${username}`, y: 210, size: 34, fill: colours.moon })
  return scene(`${hungMoon(1010, 44, 132)}
<circle cx="${x}" cy="${y}" r="${radius}" fill="${colours.text}"/>
<circle cx="${x}" cy="${y}" r="${radius - 12}" fill="none" stroke="${colours.dim}" stroke-width="4" stroke-dasharray="12 9"/>
${emojiPicture(emoji, { x: x - 75, y: y - 75, size: 150 })}
${large.svg}${earned.svg}${player.svg}`)
}

/** Draws a closed position or a result in a fair, with the token or fair, the player and the outcome. */
function drawWin(card: WinCard): string {
  const third = (CARD_WIDTH - 2 * MARGIN) / 3
  const figures = card.figures.map((figure, index) =>
    labelledFigure({ unit: 'SOL', ...figure, x: MARGIN + third * index, y: 414, widthMax: third - 24 }),
  )
  return scene(`${hungMoon(1010, 44, 132)}
${head(card)}
${movementFigure(card.movement, { x: MARGIN, y: 350, size: 96 })}
${figures.join('')}`)
}
