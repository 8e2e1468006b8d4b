import { Marked } from 'marked'
import { type ChapterId, readChapterText, toAnchor } from './chapters.ts'

/** What a page puts into a slot, for readers without one. */
const SLOTS: Readonly<Record<string, string>> = {
  key: 'A player makes keys in the [settings](http://localhost:3000/settings); a program registers one with `POST /api/auth/register` and makes a key with the session of that answer, `POST /api/keys`.',
}
const SLOT = /^<!-- slot: (\w+) -->$/gm
/** The first line of a code block: its language, then what only tests read. */
const FENCE = /^```(\w+) .*$/gm
/** A link to another chapter, as in the repository. */
const CHAPTER_LINK = /\]\((\w+)\.md(#[\w-]+)?\)/g

/** A chapter in Markdown, as a program reads it. Links to others lead to `/developers/…md`. */
export function readDocument(id: ChapterId): string {
  return readChapterText(id)
    .replaceAll(FENCE, '```$1')
    .replaceAll(SLOT, (_, name: string) => SLOTS[name] ?? '')
    .replaceAll(CHAPTER_LINK, '](/developers/$1.md$2)')
}

const markdown = new Marked({
  renderer: {
    heading({ tokens, depth, text }) {
      return `<h${depth} id="${toAnchor(text)}">${this.parser.parseInline(tokens)}</h${depth}>\n`
    },
  },
  walkTokens(token) {
    if (token.type === 'link') token.href = token.href.replace(/^(\/developers\/\w+)\.md/, '$1')
  },
})

/** Markdown as HTML that needs no script. Links to chapters lead to their pages. */
export function toHtml(text: string): string {
  return markdown.parse(text, { async: false })
}
