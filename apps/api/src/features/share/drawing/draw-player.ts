import type { PlayerCard } from '../card.ts'
import { CARD_WIDTH } from '../card.ts'
import { colours } from './colours.ts'
import { emojiPicture } from './emoji-picture.ts'
import { labelledFigure, plain, strong, title } from './figures.ts'
import { hungMoon, MARGIN, scene } from './scene.ts'
import { setText } from './set-text.ts'

const AVATAR = 148
const EMOJI = 92
const CHIP_HEIGHT = 66
const CHIP_Y = 420

/**
 * Draws a player with balance, portfolio and holdings. `picture` is a PNG, or null for a coin with the player's
 * initial.
 */
export function drawPlayer(card: PlayerCard, picture: Uint8Array | null): string {
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
