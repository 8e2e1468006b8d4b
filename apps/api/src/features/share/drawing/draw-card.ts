import { Resvg } from '@resvg/resvg-js'
import type { Card } from '../card.ts'
import { drawBoard } from './draw-board.ts'
import { drawHome } from './draw-home.ts'
import { drawPlayer } from './draw-player.ts'
import { drawToken } from './draw-token.ts'

/** A card as a PNG. `picture` is the player's own, as a PNG. No font of the system is looked at: text is outlines. */
export function drawCard(card: Card, picture: Uint8Array | null): Uint8Array {
  const svg = new Resvg(toSvg(card, picture), { font: { loadSystemFonts: false } })
  return svg.render().asPng()
}

function toSvg(card: Card, picture: Uint8Array | null): string {
  if (card.kind === 'token') return drawToken(card)
  if (card.kind === 'player') return drawPlayer(card, picture)
  return card.kind === 'board' ? drawBoard(card) : drawHome()
}
