import type { WinCard } from '../card.ts'
import { CARD_WIDTH } from '../card.ts'
import { colours } from './colours.ts'
import { emojiPicture } from './emoji-picture.ts'
import { labelledFigure, movementFigure } from './figures.ts'
import { hungMoon, MARGIN, scene } from './scene.ts'
import { setText } from './set-text.ts'

/** Draws a closed position: the token, who held it, and what came of it. */
export function drawWin(card: WinCard): string {
  const left = 244
  const title = { x: left, y: 128, size: 72, face: 'display', fill: colours.text, widthMax: 720, sizeMin: 42 } as const
  const symbol = setText({ text: card.symbol, x: left, y: 190, size: 36, face: 'strong', fill: colours.moon })
  const player = setText({
    text: card.isRugged ? `rugged on ${card.username}` : `closed by ${card.username}`,
    x: left + symbol.width + 20,
    y: 190,
    size: 30,
    face: 'plain',
    fill: colours.dim,
    widthMax: 720 - symbol.width - 20,
    sizeMin: 24,
  })
  const third = (CARD_WIDTH - 2 * MARGIN) / 3
  const figures = [
    { label: card.percent.sign === -1 ? 'Loss' : 'Profit', figure: card.profit },
    { label: 'Paid', figure: card.paid },
    { label: 'Received', figure: card.received },
  ].map((figure, index) =>
    labelledFigure({ ...figure, unit: 'SOL', x: MARGIN + third * index, y: 414, widthMax: third - 24 }),
  )
  return scene(`${hungMoon(1010, 44, 132)}
${emojiPicture(card.emoji, { x: MARGIN, y: 66, size: 140 })}
${setText({ ...title, text: card.name }).svg}${symbol.svg}${player.svg}
${movementFigure(card.percent, { x: MARGIN, y: 350, size: 96 })}
${figures.join('')}`)
}
