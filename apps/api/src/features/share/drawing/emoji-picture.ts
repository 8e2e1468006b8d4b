import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { moon, type Square } from './moon.ts'

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
 * Reads an emoji's drawing. Twemoji names its files after code points, mostly without the variation selector U+FE0F.
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
