import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { readChapterText } from '../src/chapters.ts'
import { EXAMPLE_KEY, fillIn } from '../src/fill-in.ts'
import type { Block, Inline, Sample } from '../src/guide.ts'
import { CHAPTERS, parseChapter, readGuide } from '../src/index.ts'
import { listPrograms } from '../src/list-programs.ts'

const guide = readGuide()
const blocks = guide.flatMap((chapter) => chapter.blocks)
const samples = blocks.flatMap((block) => (block.kind === 'code' ? block.samples : []))
const toTexts = ({ pieces }: Sample) => pieces.map((piece) => (typeof piece === 'string' ? piece : piece[0]))

describe('the guide', () => {
  it('is shown completely, because the page knows every kind of block', () => {
    expect(guide.map(({ id }) => id)).toEqual(CHAPTERS)
    expect(samples.length).toBeGreaterThan(10)
  })

  it('has each anchor once, and links to anchors that exist', () => {
    const headings = blocks.flatMap((block) => (block.kind === 'heading' ? [block.id] : []))
    const anchors = [...CHAPTERS, ...headings]
    expect(anchors.filter((anchor, index) => anchors.indexOf(anchor) !== index)).toEqual([])
    const links = blocks.flatMap(listLinks).filter((to) => to.startsWith('#'))
    expect(links.length).toBeGreaterThan(1)
    expect(links.filter((to) => !anchors.includes(to.slice(1)))).toEqual([])
  })

  it('names only error codes that exist', () => {
    const known = readFileSync(new URL('../../contract/src/errors.ts', import.meta.url), 'utf8')
    const texts = CHAPTERS.map(readChapterText).join('\n')
    const codes = new Set([...texts.matchAll(/`(?:\d+ )?([A-Z]{3,}(?:_[A-Z]+)*)`/g)].map(([, code = '']) => code))
    expect(codes.size).toBeGreaterThan(5)
    const others = ['GET', 'POST', 'RIVAL', 'SECRET']
    expect([...codes].filter((code) => !others.includes(code) && !new RegExp(`\\b${code}\\b`).test(known))).toEqual([])
  })

  it('is filled in the same, whether piece by piece or as a whole', () => {
    const filling = { url: 'https://papermoon.example', key: 'pm_abc' }
    for (const sample of samples) {
      const code = toTexts(sample).join('')
      const filled = toTexts(sample).map((text) => fillIn(text, filling))
      expect(filled.join('')).toBe(fillIn(code, filling))
    }
  })

  it('has a bot of 40 lines in each language, as its title says', () => {
    const bots = listPrograms().filter(({ name }) => name.startsWith('bot '))
    expect(bots.map(({ language }) => language)).toEqual(['typescript', 'python'])
    for (const { name, code } of bots) {
      const lines = code.split('\n').filter((line) => line.trim() !== '')
      expect(lines.length, name).toBeLessThanOrEqual(40)
    }
  })

  it('sends Accept with every call, because an error as plain text would crash a JSON parser', () => {
    const callers = listPrograms().filter(({ code }) => /\/api\/(?!events|exports)/.test(code))
    expect(callers.length).toBeGreaterThan(10)
    const silent = callers.filter(({ code }) => !/accept['"]?: ?['"]?(application\/json|json)/i.test(code))
    expect(silent.map(({ name }) => name)).toEqual([])
  })

  it('names every chapter in its README', () => {
    const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8')
    expect(CHAPTERS.filter((id) => !readme.includes(`(chapters/${id}.md)`))).toEqual([])
  })
})

describe('fillIn', () => {
  it('fills in the URL over HTTP and over a WebSocket, and the key', () => {
    const text = `curl http://localhost:3000/api -H ${EXAMPLE_KEY}; ws://localhost:3000/ws`
    const filled = fillIn(text, { url: 'https://papermoon.example', key: 'pm_abc' })
    expect(filled).toBe('curl https://papermoon.example/api -H pm_abc; wss://papermoon.example/ws')
  })

  it('keeps the example’s key if there is no other', () => {
    expect(fillIn(EXAMPLE_KEY, { url: 'https://papermoon.example' })).toBe(EXAMPLE_KEY)
  })
})

describe('parseChapter', () => {
  const parse = (markdown: string) => parseChapter('quickstart', `# Title\n\n${markdown}`).blocks
  const fence = (info: string, code: string) => `\`\`\`${info}\n${code}\n\`\`\``

  it('groups code blocks that follow each other', () => {
    const code = [fence('bash', 'a'), fence('python', 'b'), 'Text.', fence('json', '1')].join('\n\n')
    const kinds = parse(code).map((block) =>
      block.kind === 'code' ? block.samples.map((it) => it.language) : block.kind,
    )
    expect(kinds).toEqual([['bash', 'python'], 'paragraph', ['json']])
  })

  it('highlights code without changing it', () => {
    const code = 'const a = 1  // "c"\n\n\treturn a'
    const [block] = parse(fence('typescript', code))
    if (block?.kind !== 'code' || block.samples[0] === undefined) throw new Error('no code')
    expect(toTexts(block.samples[0]).join('')).toBe(code)
    expect(block.samples[0].pieces).toContainEqual(['const', 'keyword'])
  })

  it('turns links between chapters into links within the page', () => {
    const [block] = parse('[a](orders.md#send-it-again) [b](orders.md) [c](https://example.org/)')
    expect(block && listLinks(block)).toEqual(['#send-it-again', '#orders', 'https://example.org/'])
  })

  it.each([
    ['a language without highlighting', fence('ruby', 'puts 1')],
    ['an unknown word after the language', fence('bash runs', 'ls')],
    ['a slot that the page does not have', '<!-- slot: nothing -->'],
    ['other HTML', '<b>bold</b>'],
    ['a picture', '![moon](moon.png)'],
    ['a link out of the guide', '[a](../README.md)'],
    ['a heading of the third level', '### Deep'],
  ])('refuses %s', (_what, markdown) => {
    expect(() => parse(markdown)).toThrow()
  })
})

function listLinks(block: Block): string[] {
  switch (block.kind) {
    case 'paragraph':
    case 'heading':
      return block.text.flatMap(linksIn)
    case 'list':
      return block.items.flat().flatMap(linksIn)
    case 'table':
      return [block.head, ...block.rows].flat(2).flatMap(linksIn)
    default:
      return []
  }
}

function linksIn(part: Inline): string[] {
  if (typeof part === 'string' || part.kind === 'code') return []
  return part.kind === 'link' ? [part.to] : part.text.flatMap(linksIn)
}
