import type { BoardCard } from '../card.ts'
import { CARD_WIDTH } from '../card.ts'
import { colours } from './colours.ts'
import { hungMoon, MARGIN, scene } from './scene.ts'
import { setText } from './set-text.ts'

const MEDALS = [colours.gold, colours.silver, colours.bronze]
const ROW_HEIGHT = 92
const ROWS_TOP = 226

export function drawBoard({ winners }: BoardCard): string {
  const title = setText({ text: 'Leaderboard', x: MARGIN, y: 126, size: 76, face: 'display', fill: colours.moon })
  const lead = setText({
    text: 'The largest profits of the last 6 hours',
    x: MARGIN,
    y: 182,
    size: 32,
    face: 'plain',
    fill: colours.dim,
  })
  const rows = winners.length === 0 ? nobody() : winners.map(row).join('')
  return scene(`${hungMoon(1010, 36, 132)}${title.svg}${lead.svg}${rows}`)
}

function row({ username, profit }: BoardCard['winners'][number], index: number): string {
  const y = ROWS_TOP + index * ROW_HEIGHT
  const [right, middle] = [CARD_WIDTH - MARGIN - 28, y + ROW_HEIGHT / 2 - 8]
  const rank = setText({
    text: String(index + 1),
    x: MARGIN + 54,
    y: middle + 12,
    size: 34,
    face: 'strong',
    fill: colours.moonInk,
    anchor: 'middle',
  })
  const won = setText({
    text: `${profit} SOL`,
    x: right,
    y: middle + 14,
    size: 40,
    face: 'strong',
    fill: colours.up,
    anchor: 'end',
  })
  const name = setText({
    text: username,
    x: MARGIN + 104,
    y: middle + 14,
    size: 40,
    face: 'strong',
    fill: colours.text,
    widthMax: right - won.width - 30 - MARGIN - 104,
    sizeMin: 28,
  })
  return `<rect x="${MARGIN}" y="${y}" width="${CARD_WIDTH - 2 * MARGIN}" height="${ROW_HEIGHT - 16}" rx="18" fill="${colours.raised}" stroke="${colours.line}" stroke-width="2"/>
<circle cx="${MARGIN + 54}" cy="${middle}" r="26" fill="${MEDALS[index] ?? colours.dim}"/>${rank.svg}${name.svg}${won.svg}`
}

function nobody(): string {
  const x = MARGIN
  const title = setText({ text: 'No winners yet', x, y: 318, size: 58, face: 'strong', fill: colours.text })
  const lead = setText({
    text: 'Be the first to make profitable trades in the last 6 hours!',
    x,
    y: 376,
    size: 32,
    face: 'plain',
    fill: colours.dim,
  })
  return title.svg + lead.svg
}
