import { colours } from './colours.ts'
import { emojiPicture } from './emoji-picture.ts'

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
