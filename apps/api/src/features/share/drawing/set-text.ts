import type { GlyphRun } from 'fontkit'
import { emojiPicture, isEmoji } from './emoji-picture.ts'
import { type Face, findTypeface, type Typeface } from './typefaces.ts'

/** A line of text and how to draw it, in pixels; `y` is the baseline. */
export interface Line {
  readonly text: string
  readonly x: number
  readonly y: number
  readonly size: number
  readonly face: Face
  readonly fill: string
  readonly anchor?: 'start' | 'middle' | 'end'
  /** A longer text shrinks down to `sizeMin`, and is then cut with an ellipsis. */
  readonly widthMax?: number
  readonly sizeMin?: number
}

/** A line converted to shapes. */
export interface SetLine {
  readonly svg: string
  /** Pixels. */
  readonly width: number
  readonly size: number
}

/** A part of a line drawn in one way; `width` is a share of the font size. */
interface Piece {
  readonly width: number
  draw(x: number, y: number, size: number): string
}

const ELLIPSIS = '…'
/** Width of the dot that replaces a character without a glyph. */
const DOT_WIDTH = 0.5
const EMOJI_WIDTH = 1.15
const clusters = new Intl.Segmenter('en', { granularity: 'grapheme' })

/** Converts a line to outlines. None of its characters is in the SVG, so no text can inject markup. */
export function setText(line: Line): SetLine {
  const { face, x, y, anchor = 'start', widthMax = Number.POSITIVE_INFINITY, sizeMin = line.size } = line
  const whole = [...clusters.segment(line.text)].map(({ segment }) => segment)
  const fullWidth = sumWidths(toPieces(whole, face))
  const size = Math.min(line.size, Math.max(sizeMin, widthMax / Math.max(fullWidth, 1e-6)))
  const pieces = toPieces(cut(whole, face, widthMax / size), face)
  const width = sumWidths(pieces) * size
  let left = anchor === 'start' ? x : anchor === 'middle' ? x - width / 2 : x - width
  let svg = ''
  for (const piece of pieces) {
    svg += piece.draw(left, y, size)
    left += piece.width * size
  }
  return { svg: `<g fill="${line.fill}" stroke="${line.fill}" stroke-width="0">${svg}</g>`, width, size }
}

/** The clusters that fit, with an ellipsis at the end if some do not. */
function cut(whole: readonly string[], face: Face, widthMax: number): readonly string[] {
  const isTooWide = (part: readonly string[]) => sumWidths(toPieces(part, face)) > widthMax + 1e-6
  if (!isTooWide(whole)) return whole
  for (let count = whole.length - 1; count > 0; count--) {
    const part = [...whole.slice(0, count), ELLIPSIS]
    if (!isTooWide(part)) return part
  }
  return [ELLIPSIS]
}

function sumWidths(pieces: readonly Piece[]): number {
  return pieces.reduce((sum, { width }) => sum + width, 0)
}

/** Neighbours in one font are laid out together, for kerning and ligatures. */
function toPieces(parts: readonly string[], face: Face): Piece[] {
  const pieces: Piece[] = []
  let run: { typeface: Typeface; text: string } | null = null
  const endRun = () => {
    if (run !== null) pieces.push(glyphs(run.typeface, run.text))
    run = null
  }
  for (const part of parts) {
    const typeface = isEmoji(part) ? null : findTypeface(face, toCodePoints(part))
    if (run !== null && typeface?.font === run.typeface.font) run.text += part
    else {
      endRun()
      if (typeface !== null) run = { typeface, text: part }
      else pieces.push(isEmoji(part) ? emoji(part) : dot())
    }
  }
  endRun()
  return pieces
}

/** Code points without variation selectors. */
function toCodePoints(part: string): number[] {
  return [...part.replaceAll(/[\ufe00-\ufe0f]/g, '')].map((character) => character.codePointAt(0) ?? 0)
}

function glyphs({ font, stroke }: Typeface, text: string): Piece {
  const run = font.layout(text)
  return {
    width: run.advanceWidth / font.unitsPerEm,
    draw: (x, y, size) => {
      const scale = size / font.unitsPerEm
      const bold = stroke === 0 ? '' : ` stroke-width="${round(stroke * font.unitsPerEm)}" stroke-linejoin="round"`
      return `<g transform="translate(${round(x)} ${round(y)}) scale(${scale} ${-scale})"${bold}>${outlines(run)}</g>`
    },
  }
}

function outlines({ glyphs, positions }: GlyphRun): string {
  let left = 0
  return glyphs
    .map((glyph, index) => {
      const { xAdvance = 0, xOffset = 0, yOffset = 0 } = positions[index] ?? {}
      const d = glyph.path.toSVG()
      const path = d === '' ? '' : `<path transform="translate(${left + xOffset} ${yOffset})" d="${d}"/>`
      left += xAdvance
      return path
    })
    .join('')
}

function emoji(part: string): Piece {
  return {
    width: EMOJI_WIDTH,
    draw: (x, y, size) => emojiPicture(part, { x: round(x), y: round(y - size * 0.85), size: round(size * 1.05) }),
  }
}

function dot(): Piece {
  return {
    width: DOT_WIDTH,
    draw: (x, y, size) =>
      `<circle cx="${round(x + (size * DOT_WIDTH) / 2)}" cy="${round(y - size * 0.3)}" r="${round(size * 0.13)}"/>`,
  }
}

function round(value: number): number {
  return Math.round(value * 100) / 100
}
