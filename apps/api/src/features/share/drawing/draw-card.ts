import { Resvg } from '@resvg/resvg-js'
import {
  type BoardCard,
  CARD_WIDTH,
  type Card,
  type PlayerCard,
  type StickerCard,
  type TokenCard,
  type WinCard,
} from '../card.ts'
import { colours } from './colours.ts'
import { emojiPicture } from './emoji-picture.ts'
import { head, labelledFigure, movementFigure, plain, priceFigure, strong, title } from './figures.ts'
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
 * Draws a card as a PNG; `picture` is the player's profile picture as a PNG. Text is drawn as outlines, so no system
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

/** Draws a closed position or a result in a fair. The picture shows the token or fair, the player and the outcome. */
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

const MEDALS = [colours.gold, colours.silver, colours.bronze]
const ROW_HEIGHT = 92
const ROWS_TOP = 226

function drawBoard({ winners }: BoardCard): string {
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

const AVATAR = 148
const EMOJI = 92
const CHIP_HEIGHT = 66
const CHIP_Y = 420

/**
 * Draws a player with balance, portfolio and holdings. `picture` is a PNG, or null for a coin with the player's
 * initial.
 */
function drawPlayer(card: PlayerCard, picture: Uint8Array | null): string {
  const left = MARGIN + AVATAR + 36
  const name = setText({ ...title, text: card.username, x: left, y: 142, widthMax: 700 })
  const words = card.isBot ? 'Bot on Papermoon' : 'Trader on Papermoon'
  const role = setText({ ...plain, text: words, x: left, y: 198, size: 30, fill: colours.moon })
  const mark = { ...strong, x: left + role.width + 28, y: 198, size: 30, fill: colours.down }
  const stamp = card.stamp === null ? '' : setText({ ...mark, text: card.stamp }).svg
  const third = (CARD_WIDTH - 2 * MARGIN) / 3
  return scene(`${hungMoon(1010, 44, 132)}
${avatar(card, picture)}
${name.svg}${role.svg}${stamp}
${labelledFigure({ label: 'SOL balance', figure: card.balance, unit: 'SOL', x: MARGIN, y: 294, widthMax: third - 24 })}
${labelledFigure({ label: 'Portfolio value', figure: card.portfolio, unit: 'SOL', x: MARGIN + third, y: 294, widthMax: third - 24 })}
${labelledFigure({ label: 'Tokens created', figure: card.created, x: MARGIN + third * 2, y: 294, widthMax: third })}
${holdings(card)}`)
}

function avatar({ username, emoji }: PlayerCard, picture: Uint8Array | null): string {
  const [x, y, r] = [MARGIN + AVATAR / 2, 70 + AVATAR / 2, AVATAR / 2]
  const rim = `<circle cx="${x}" cy="${y}" r="${r}" fill="none" stroke="${colours.moonDeep}" stroke-width="5"/>`
  if (picture !== null) {
    const href = `data:image/png;base64,${Buffer.from(picture).toString('base64')}`
    return `<clipPath id="coin"><circle cx="${x}" cy="${y}" r="${r}"/></clipPath><image x="${x - r}" y="${y - r}" width="${AVATAR}" height="${AVATAR}" preserveAspectRatio="xMidYMid slice" clip-path="url(#coin)" xlink:href="${href}"/>${rim}`
  }
  if (emoji !== null) {
    const face = emojiPicture(emoji, { x: x - EMOJI / 2, y: y - EMOJI / 2, size: EMOJI })
    return `<circle cx="${x}" cy="${y}" r="${r}" fill="${colours.moon}"/>${rim}${face}`
  }
  const [first = '?'] = username
  const letter = { text: first.toUpperCase(), x, y: y + 28, size: 80, widthMax: AVATAR - 30, sizeMin: 20 }
  const fill = colours.moonInk
  return `<circle cx="${x}" cy="${y}" r="${r}" fill="${colours.moon}"/>${rim}${setText({ ...letter, face: 'strong', fill, anchor: 'middle' }).svg}`
}

function holdings({ holdings: held, more }: PlayerCard): string {
  const baseline = CHIP_Y + 44
  const dim = { ...plain, y: baseline, size: 30 }
  if (held.length === 0) return setText({ ...dim, text: 'Holds no tokens', x: MARGIN }).svg
  let left = MARGIN
  let svg = ''
  let others = more + held.length
  for (const { emoji, symbol } of held) {
    const text = setText({ ...strong, text: symbol, x: left + 70, y: baseline, size: 30 })
    const width = text.width + 94
    if (left + width > CARD_WIDTH - MARGIN - 150) break
    svg += `<rect x="${left}" y="${CHIP_Y}" width="${width}" height="${CHIP_HEIGHT}" rx="${CHIP_HEIGHT / 2}" fill="${colours.raised}" stroke="${colours.line}" stroke-width="2"/>`
    svg += emojiPicture(emoji, { x: left + 20, y: CHIP_Y + 14, size: 38 }) + text.svg
    left += width + 16
    others--
  }
  return svg + (others === 0 ? '' : setText({ ...dim, text: `and ${others} more`, x: left }).svg)
}

const LINE = { left: 740, right: CARD_WIDTH - MARGIN - 8, top: 262, bottom: 462 } as const

/** Draws a token with its emoji, price and price line. */
function drawToken(card: TokenCard): string {
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

/**
 * Draws a line of text above the price line. The line says which past time is shown, or until when the token is sealed.
 */
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
