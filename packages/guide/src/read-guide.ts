import { lexer, type Token, type Tokens } from 'marked'
import { CHAPTERS, readChapterText, toAnchor } from './chapters.ts'
import { type Block, type Chapter, type Inline, type Inlines, SLOTS, type SlotName } from './guide.ts'
import { highlight } from './highlight.ts'
import { parseFence } from './parse-fence.ts'

/** Reads all chapters. Throws an error with the chapter's name if the page cannot show its Markdown. */
export function readGuide(): Chapter[] {
  return CHAPTERS.map((id) => {
    try {
      return parseChapter(id, readChapterText(id))
    } catch (error) {
      throw new Error(`${id}.md: ${error instanceof Error ? error.message : error}`)
    }
  })
}

/** Parses one chapter: a first-level heading, then text. */
export function parseChapter(id: string, markdown: string): Chapter {
  const [title, ...rest] = lexer(markdown).filter(({ type }) => type !== 'space')
  if (title?.type !== 'heading' || title.depth !== 1) throw new Error('a chapter begins with # and its title')
  return { id, title: title.text, blocks: groupSamples(rest.map(toBlock)) }
}

/** Groups consecutive code blocks into tabs. */
function groupSamples(blocks: readonly Block[]): Block[] {
  const grouped: Block[] = []
  for (const block of blocks) {
    const last = grouped.at(-1)
    if (block.kind === 'code' && last?.kind === 'code')
      grouped[grouped.length - 1] = { kind: 'code', samples: [...last.samples, ...block.samples] }
    else grouped.push(block)
  }
  return grouped
}

/**
 * The Markdown tokens that the page can show. TypeScript cannot narrow the type `Token`, because it includes any other
 * token.
 */
type Known = Tokens.Heading | Tokens.Paragraph | Tokens.List | Tokens.Table | Tokens.Code | Tokens.HTML

function toBlock(token: Token): Block {
  const known = token as Known
  switch (known.type) {
    case 'heading':
      if (known.depth !== 2) throw new Error(`a heading below the title has two #: ${known.text}`)
      return { kind: 'heading', id: toAnchor(known.text), text: toInlines(known.tokens) }
    case 'paragraph':
      return { kind: 'paragraph', text: toInlines(known.tokens) }
    case 'list':
      return { kind: 'list', isOrdered: known.ordered, items: known.items.map(({ tokens }) => toItem(tokens)) }
    case 'table':
      return {
        kind: 'table',
        head: known.header.map(({ tokens }) => toInlines(tokens)),
        rows: known.rows.map((row) => row.map(({ tokens }) => toInlines(tokens))),
      }
    case 'code': {
      const { language } = parseFence(known.lang ?? '')
      return { kind: 'code', samples: [{ language, pieces: highlight(known.text, language) }] }
    }
    case 'html':
      return { kind: 'slot', name: parseSlot(known.text) }
    default:
      throw new Error(`the page draws no ${token.type}: ${token.raw}`)
  }
}

function parseSlot(comment: string): SlotName {
  const [, written] = /^<!-- slot: (\w+) -->$/.exec(comment.trim()) ?? []
  const name = SLOTS.find((it) => it === written)
  if (name === undefined) throw new Error(`HTML is only <!-- slot: ${SLOTS.join('|')} -->, not ${comment}`)
  return name
}

/** Converts a list item to one text, without paragraphs or nested lists. */
function toItem(tokens: readonly Token[]): Inlines {
  return tokens.flatMap((token) => toInlines((token as Tokens.Text).tokens ?? [token]))
}

function toInlines(tokens: readonly Token[]): Inline[] {
  return tokens.map(toInline)
}

function toInline(token: Token): Inline {
  const known = token as Tokens.Text | Tokens.Escape | Tokens.Codespan | Tokens.Strong | Tokens.Em | Tokens.Link
  switch (known.type) {
    case 'text':
    case 'escape':
      return known.text.replaceAll('\n', ' ')
    case 'codespan':
      return { kind: 'code', text: known.text }
    case 'strong':
      return { kind: 'strong', text: toInlines(known.tokens) }
    case 'em':
      return { kind: 'emphasis', text: toInlines(known.tokens) }
    case 'link':
      return { kind: 'link', to: toTarget(known.href), text: toInlines(known.tokens) }
    default:
      throw new Error(`the page draws no ${token.type}: ${token.raw}`)
  }
}

/** Converts links between chapters to anchors, because the page shows all chapters in one document. */
function toTarget(href: string): string {
  if (/^https?:/.test(href)) return href
  const [, chapter, anchor] = /^(\w+)\.md(?:#([\w-]+))?$/.exec(href) ?? /^()#([\w-]+)$/.exec(href) ?? []
  const target = anchor ?? chapter
  if (target === undefined) throw new Error(`a link leads to a chapter or to https, not to ${href}`)
  return `#${target}`
}
