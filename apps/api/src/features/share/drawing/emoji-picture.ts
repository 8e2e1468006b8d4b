import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { colours } from './colours.ts'

/** Returns whether a text is one emoji. */
export function isEmoji(text: string): boolean {
  return /^\p{RGI_Emoji}$/v.test(text)
}

/** Returns an emoji as SVG, or the paper moon if Twemoji has no drawing of it. */
export function emojiPicture(emoji: string, { x, y, size }: Square): string {
  const drawing = readDrawing(emoji)
  if (drawing === null) return moon({ x, y, size })
  return `<svg x="${x}" y="${y}" width="${size}" height="${size}" viewBox="0 0 36 36">${drawing}</svg>`
}

/**
 * Reads an emoji's drawing. Twemoji's file names consist of code points, mostly without the variation selector U+FE0F.
 */
function readDrawing(emoji: string): string | null {
  const codes = [...emoji].map((character) => (character.codePointAt(0) ?? 0).toString(16))
  const plain = codes.filter((code) => code !== 'fe0f')
  const file = [codes, plain].map((name) => toPath(`${name.join('-')}.svg`)).find((path) => existsSync(path))
  return file === undefined ? null : readFileSync(file, 'utf8').replace(/^.*?<svg[^>]*>|<\/svg>\s*$/gs, '')
}

function toPath(name: string): string {
  return fileURLToPath(new URL(name, import.meta.resolve('@twemoji/svg/1f319.svg')))
}

/** Draws a round SVG for a player without a picture: the emoji or the name's first letter. */
export function drawFace({ username, emoji }: { readonly username: string; readonly emoji: string | null }): string {
  const face = emoji === null ? drawLetter(username) : emojiPicture(emoji, { x: 9, y: 9, size: 18 })
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 36 36"><circle cx="18" cy="18" r="18" fill="${colours.moon}"/>${face}</svg>`
}

/** Write the letter as a character reference, so that no name can inject markup. */
function drawLetter(username: string): string {
  const [first = '?'] = username
  const letter = Array.from(first.toUpperCase(), (character) => `&#${character.codePointAt(0)};`).join('')
  return `<text x="18" y="24.5" text-anchor="middle" font-family="Figtree,system-ui,sans-serif" font-weight="800" font-size="18" fill="${colours.moonInk}">${letter}</text>`
}

/** A square area in the picture, in pixels. */
interface Square {
  readonly x: number
  readonly y: number
  readonly size: number
}

/** Draws the paper moon. */
export function moon({ x, y, size }: Square): string {
  return `<svg x="${x}" y="${y}" width="${size}" height="${size}" viewBox="0 0 64 64">
<path d="M42 5.500A28 28 0 1 0 59 39 22 22 0 0 1 42 5.500Z" fill="${colours.moon}"/>
<path d="M24 27q3-3 6 0M26 41q5 3 10-1" fill="none" stroke="${colours.moonInk}" stroke-width="2.400" stroke-linecap="round"/>
</svg>`
}
