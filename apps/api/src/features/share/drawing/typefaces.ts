import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import * as fontkit from 'fontkit'

/** The typefaces of the product: for names and titles; for figures; for words beside them. */
export type Face = 'display' | 'strong' | 'plain'

/** A font and a stroke width, as a share of the font size, that makes it as bold as the others. */
export interface Typeface {
  readonly font: fontkit.Font
  readonly stroke: number
}

interface Source {
  readonly stroke: number
  /** The font file that may have this character, or null. */
  findFile(codePoint: number): string | null
}

const SANSITA = '@fontsource/sansita-swashed/files/sansita-swashed'
const FIGTREE = '@fontsource/figtree/files/figtree'
const NOTO = '@fontsource/noto-sans'
/**
 * Chinese (which covers Japanese) and Korean. Their files are variable fonts, and fontkit reads the thinnest weight.
 */
const EAST = ['sc', 'kr']
const EAST_STROKE = 0.075

const single = (file: string): Source => ({ stroke: 0, findFile: () => file })
const latin = (family: string, weight: number): Source[] => [
  single(`${family}-latin-${weight}-normal.woff`),
  single(`${family}-latin-ext-${weight}-normal.woff`),
]

/** Cyrillic, Greek, Vietnamese and Devanagari; then Chinese, Japanese and Korean. */
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

/** The first font of a face with glyphs for all of these characters, or null. */
export function findTypeface(face: Face, codePoints: readonly number[]): Typeface | null {
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

/** A package that is split into files lists the characters of each in `unicode.json`. */
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
