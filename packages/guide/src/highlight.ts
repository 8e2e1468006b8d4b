import type { ElementContent } from 'hast'
import { common, createLowlight } from 'lowlight'
import type { Language, Piece, PieceKind } from './guide.ts'

const lowlight = createLowlight(common)
const GRAMMARS: Readonly<Record<Language, string>> = {
  bash: 'bash',
  typescript: 'typescript',
  python: 'python',
  html: 'xml',
  json: 'json',
}
/** Kinds of coloured pieces, by the highlighter's CSS classes. */
const KINDS: Readonly<Record<string, PieceKind>> = {
  'hljs-keyword': 'keyword',
  'hljs-literal': 'keyword',
  'hljs-built_in': 'name',
  'hljs-title': 'name',
  'hljs-name': 'name',
  'hljs-string': 'text',
  'hljs-number': 'number',
  'hljs-comment': 'comment',
  'hljs-attr': 'property',
  'hljs-property': 'property',
}

/** Splits code into pieces with a colour each. */
export function highlight(code: string, language: Language): Piece[] {
  const pieces = lowlight.highlight(GRAMMARS[language], code).children.flatMap((node) => flatten(node, null))
  return mergeNeighbours(pieces)
}

type Coloured = readonly [text: string, kind: PieceKind | null]

function flatten(node: ElementContent | { type: 'doctype' }, outer: PieceKind | null): Coloured[] {
  if (node.type === 'text') return [[node.value, outer]]
  if (node.type !== 'element') return []
  const names = Array.isArray(node.properties.className) ? node.properties.className : []
  const kind = names.map((name) => KINDS[String(name)]).find((found) => found !== undefined) ?? outer
  return node.children.flatMap((child) => flatten(child, kind))
}

function mergeNeighbours(pieces: readonly Coloured[]): Piece[] {
  const merged: [string, PieceKind | null][] = []
  for (const [text, kind] of pieces) {
    const last = merged.at(-1)
    if (last !== undefined && (last[1] === kind || text.trim() === '')) last[0] += text
    else merged.push([text, kind])
  }
  return merged.map(([text, kind]) => (kind === null ? text : [text, kind]))
}
