import type { StickerCard } from '../card.ts'
import { CARD_WIDTH } from '../card.ts'
import { colours } from './colours.ts'
import { emojiPicture } from './emoji-picture.ts'
import { hungMoon, MARGIN, scene } from './scene.ts'
import { setText } from './set-text.ts'

const STAMP = { x: 200, y: 300, radius: 130 }

/** Draws a sticker as a stamp of paper, with what earned it. */
export function drawSticker({ emoji, name, rule, username }: StickerCard): string {
  const { x, y, radius } = STAMP
  const left = x + radius + 60
  const line = { x: left, widthMax: CARD_WIDTH - left - MARGIN, sizeMin: 22 }
  const title = setText({ ...line, text: name, y: 290, size: 76, face: 'display', fill: colours.text, sizeMin: 40 })
  const earned = setText({ ...line, text: rule, y: 350, size: 32, face: 'plain', fill: colours.dim })
  const player = setText({
    ...line,
    text: `earned by ${username}`,
    y: 210,
    size: 34,
    face: 'strong',
    fill: colours.moon,
  })
  return scene(`${hungMoon(1010, 44, 132)}
<circle cx="${x}" cy="${y}" r="${radius}" fill="${colours.text}"/>
<circle cx="${x}" cy="${y}" r="${radius - 12}" fill="none" stroke="${colours.dim}" stroke-width="4" stroke-dasharray="12 9"/>
${emojiPicture(emoji, { x: x - 75, y: y - 75, size: 150 })}
${title.svg}${earned.svg}${player.svg}`)
}
