import { Marked } from 'marked'
import { type ChapterId, readChapterText, toAnchor } from './chapters.ts'

/** Texts that replace interactive parts of the page in Markdown and HTML. */
const SLOTS: Readonly<Record<string, string>> = {
  key: 'Create a key on the [developers page](http://localhost:3000/developers). A program can register with `POST /api/auth/register` and create a key with that session: `POST /api/keys`.',
  bot: 'You declare a bot on the [developers page](http://localhost:3000/developers).',
  webhooks: 'You add webhooks on the [developers page](http://localhost:3000/developers#webhooks).',
}
const SLOT = /^<!-- slot: (\w+) -->$/gm
/** The first line of a code block. It has the language, then options for tests. */
const FENCE = /^```(\w+) .*$/gm
/** A link to another chapter in the form that it has in the repository. */
const CHAPTER_LINK = /\]\((\w+)\.md(#[\w-]+)?\)/g

/** Returns a chapter as Markdown for programs. Links to other chapters lead to `/developers/…md`. */
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

/** Converts Markdown to HTML without scripts. Links to chapters lead to the chapters' pages. */
export function toHtml(text: string): string {
  return markdown.parse(text, { async: false })
}
