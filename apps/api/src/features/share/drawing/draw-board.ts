import type { BoardCard } from '../card.ts'
import { CARD_WIDTH } from '../card.ts'
import { colours } from './colours.ts'
import { plain, strong } from './figures.ts'
import { hungMoon, MARGIN, scene } from './scene.ts'
import { setText } from './set-text.ts'

const MEDALS = [colours.gold, colours.silver, colours.bronze]
const ROW_HEIGHT = 92
const ROWS_TOP = 226

export function drawBoard({ winners }: BoardCard): string {
  const title = setText({ text: 'Leaderboard', x: MARGIN, y: 126, size: 76, face: 'display', fill: colours.moon })
  const lead = setText({ ...plain, text: 'The largest profits of the last 6 hours', x: MARGIN, y: 182, size: 32 })
  const rows = winners.length === 0 ? nobody() : winners.map(row).join('')
  return scene(`${hungMoon(1010, 36, 132)}${title.svg}${lead.svg}${rows}`)
}

function row({ username, profit }: BoardCard['winners'][number], index: number): string {
  const y = ROWS_TOP + index * ROW_HEIGHT
  const [right, middle] = [CARD_WIDTH - MARGIN - 28, y + ROW_HEIGHT / 2 - 8]
  const place = { x: MARGIN + 54, y: middle + 12, size: 34, anchor: 'middle' } as const
  const rank = setText({ ...strong, ...place, text: String(index + 1), fill: colours.moonInk })
  const line = { ...strong, y: middle + 14, size: 40 }
  const won = setText({ ...line, text: `${profit} SOL`, x: right, fill: colours.up, anchor: 'end' })
  const widthMax = right - won.width - 30 - MARGIN - 104
  const name = setText({ ...line, text: username, x: MARGIN + 104, widthMax, sizeMin: 28 })
  return `<rect x="${MARGIN}" y="${y}" width="${CARD_WIDTH - 2 * MARGIN}" height="${ROW_HEIGHT - 16}" rx="18" fill="${colours.raised}" stroke="${colours.line}" stroke-width="2"/>
<circle cx="${MARGIN + 54}" cy="${middle}" r="26" fill="${MEDALS[index] ?? colours.dim}"/>${rank.svg}${name.svg}${won.svg}`
}

function nobody(): string {
  const x = MARGIN
  const title = setText({ ...strong, text: 'No winners yet', x, y: 318, size: 58 })
  const text = 'Be the first to make profitable trades in the last 6 hours!'
  const lead = setText({ ...plain, text, x, y: 376, size: 32 })
  return title.svg + lead.svg
}
