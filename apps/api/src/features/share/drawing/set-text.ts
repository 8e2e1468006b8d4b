import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { GlyphRun } from 'fontkit'
import * as fontkit from 'fontkit'
import { emojiPicture, isEmoji } from './emoji-picture.ts'

/** A line of text with its style, in pixels; `y` is the baseline. */
export interface Line {
  readonly text: string
  readonly x: number
  readonly y: number
  readonly size: number
  readonly face: Face
  readonly fill: string
  readonly anchor?: 'start' | 'middle' | 'end'
  /** Max width in pixels. A longer text is made smaller, down to `sizeMin`, and is then cut off with an ellipsis. */
  readonly widthMax?: number
  readonly sizeMin?: number
}

/** A line converted to shapes. */
export interface SetLine {
  readonly svg: string
  /** Width of the text in pixels. */
  readonly width: number
  readonly size: number
}

/** A part of a line with one style; `width` is relative to the font size. */
interface Piece {
  readonly width: number
  draw(x: number, y: number, size: number): string
}

const ELLIPSIS = '…'
/** Width of the dot that replaces a character without a glyph, relative to the font size. */
const DOT_WIDTH = 0.5
const EMOJI_WIDTH = 1.15
const clusters = new Intl.Segmenter('en', { granularity: 'grapheme' })

/** Converts a line to outlines. The SVG contains no text, so no text can inject markup. */
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

/** Returns as many clusters as fit, with an ellipsis at the end if some are missing. */
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

/**
 * Converts clusters to pieces. Neighbours with the same font are laid out together, because of kerning and ligatures.
 */
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

/** Returns the code points of a text without variation selectors. */
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

/** The typefaces for names and titles, for numbers, and for words beside numbers. */
type Face = 'display' | 'strong' | 'plain'

/** A font, and the stroke width that makes it as bold as the others, relative to the font size. */
interface Typeface {
  readonly font: fontkit.Font
  readonly stroke: number
}

interface Source {
  readonly stroke: number
  /** Returns the font file that may contain this character, or null. */
  findFile(codePoint: number): string | null
}

const SANSITA = '@fontsource/sansita-swashed/files/sansita-swashed'
const FIGTREE = '@fontsource/figtree/files/figtree'
const NOTO = '@fontsource/noto-sans'
/**
 * Names of the fonts for Chinese, which includes Japanese, and for Korean. These fonts are variable, and fontkit reads
 * their thinnest weight.
 */
const EAST = ['sc', 'kr']
const EAST_STROKE = 0.075

const single = (file: string): Source => ({ stroke: 0, findFile: () => file })
const latin = (family: string, weight: number): Source[] => [
  single(`${family}-latin-${weight}-normal.woff`),
  single(`${family}-latin-ext-${weight}-normal.woff`),
]

/** Fonts for Cyrillic, Greek, Vietnamese and Devanagari, then for Chinese, Japanese and Korean. */
const elsewhere: readonly Source[] = [
  { stroke: 0, findFile: subsetFinder(NOTO, (subset) => `${NOTO}/files/noto-sans-${subset}-700-normal.woff`) },
  ...EAST.map((language) => ({ stroke: EAST_STROKE, findFile: eastern(language) })),
]

const faces: Readonly<Record<Face, readonly Source[]>> = {
  display: [...latin(SANSITA, 800), ...latin(FIGTREE, 800), ...elsewhere],
  strong: [...latin(FIGTREE, 800), ...elsewhere],
  plain: [...latin(FIGTREE, 600), ...elsewhere],
}

const opened = new Map<string, fontkit.Font>()

/** Finds the first font of a typeface with glyphs for all of these characters, or null. */
function findTypeface(face: Face, codePoints: readonly number[]): Typeface | null {
  const [first = 0] = codePoints
  for (const { stroke, findFile } of faces[face]) {
    const file = findFile(first)
    if (file === null) continue
    const font = openFont(file)
    if (codePoints.every((codePoint) => font.hasGlyphForCodePoint(codePoint))) return { font, stroke }
  }
  return null
}

function openFont(file: string): fontkit.Font {
  const known = opened.get(file)
  if (known !== undefined) return known
  const font = fontkit.create(readFileSync(toPath(file)))
  if ('fonts' in font) throw new Error(`${file} is a collection`)
  opened.set(file, font)
  return font
}

function eastern(language: string): (codePoint: number) => string | null {
  const name = `@fontsource-variable/noto-sans-${language}`
  return subsetFinder(name, (subset) => `${name}/files/noto-sans-${language}-${subset}-wght-normal.woff2`)
}

/**
 * Returns a function that finds the file for a character in a package with several font files. The package lists the
 * characters of each file in `unicode.json`.
 */
function subsetFinder(packageName: string, findFile: (subset: string) => string): (codePoint: number) => string | null {
  let ranges: readonly { readonly first: number; readonly last: number; readonly file: string }[] | null = null
  return (codePoint) => {
    ranges ??= Object.entries(readRanges(packageName)).flatMap(([subset, text]) =>
      text.split(',').map((range) => {
        const [first = '', last = first] = range.trim().slice('U+'.length).split('-')
        const file = findFile(subset.replaceAll(/[[\]]/g, ''))
        return { first: Number.parseInt(first, 16), last: Number.parseInt(last, 16), file }
      }),
    )
    return ranges.find(({ first, last }) => first <= codePoint && codePoint <= last)?.file ?? null
  }
}

function readRanges(packageName: string): Readonly<Record<string, string>> {
  return JSON.parse(readFileSync(toPath(`${packageName}/unicode.json`), 'utf8'))
}

function toPath(file: string): string {
  return fileURLToPath(import.meta.resolve(file))
}
