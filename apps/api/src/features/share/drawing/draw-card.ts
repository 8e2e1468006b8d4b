import { Resvg } from '@resvg/resvg-js'
import type { Card } from '../card.ts'
import { drawBoard } from './draw-board.ts'
import { drawHome } from './draw-home.ts'
import { drawPlayer } from './draw-player.ts'
import { drawToken } from './draw-token.ts'
import { drawWin } from './draw-win.ts'

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
  return card.kind === 'board' ? drawBoard(card) : drawHome()
}
