import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join, matchesGlob, normalize } from 'node:path'
import { describe, expect, it } from 'vitest'
import { root } from '../../lib/project.mjs'
import { texts } from '../../lib/texts.mjs'
import { pages, read } from './pages.mjs'

const BUILT = /(^|\/)(node_modules|dist|test-results|\.turbo)(\/|$)/
const WIDTH = 120
/** Matches a file in a comment, except in a build's output. */
const FILE = /(?:^|[\s`(])(?!dist\/)((?:[\w.-]+\/)*[\w-][\w.-]*\.(?:tsx?|mjs|css|md))\b/g
/** Matches files of the guides' examples. */
const EXAMPLE = /NAME|bookmark/
/** All pages but the changelog, which names files as they were then. */
const present = pages.filter((page) => !page.startsWith('CHANGELOG'))

const files = globSync('{*,{apps,packages,scripts,docs,.ci,.github}/**/*}', {
  cwd: root,
  exclude: (name) => BUILT.test(name),
})
const isNamed = (path) => files.some((file) => matchesGlob(file, path) || matchesGlob(file, `**/${path}`))

/** Returns a page without its code blocks. */
const readProse = (page) => read(page).replace(/^ *```[\s\S]*?^ *```/gm, '')
/** Returns the texts in backticks. */
const listCode = (page) => Array.from(readProse(page).matchAll(/`([^`\n]+)`/g), ([, code]) => code)

describe.each(pages)('%s', (page) => {
  it('links to pages, sections and files that exist', () => {
    const links = Array.from(readProse(page).matchAll(/\]\(([^)\s]+)\)/g), ([, link]) => link)
    const broken = links.filter((link) => !/^(https?|mailto):/.test(link) && !isReachable(page, link))
    expect(broken).toEqual([])
  })

  it('has no line of text longer than 120 characters', () => {
    const long = readProse(page)
      .split('\n')
      .filter((line) => line.length > WIDTH && !/^\s*(\||<!--)/.test(line) && /\s/.test(line.slice(WIDTH)))
    expect(long).toEqual([])
  })
})

describe.each(present)('%s', (page) => {
  it('names files and folders that exist', () => {
    const paths = listCode(page)
      .map((code) => code.replace(/^node /, ''))
      .filter((code) => /^(apps|packages|scripts|docs|\.ci|\.github)\/\S+$|^[\w./{},*$-]+\.(tsx?|mjs|css)$/.test(code))
    const missing = paths.map((path) => path.replace(/\/$/, '')).filter((path) => !EXAMPLE.test(path) && !isNamed(path))
    expect(missing).toEqual([])
  })

  it('names functions, types and properties that exist', () => {
    const names = listCode(page).filter((code) => /^([a-z]+|([A-Z][a-z]+)+)[A-Z][A-Za-z]*(\(\))?$/.test(code))
    const unknown = names.map((name) => name.replace('()', '')).filter((name) => !words.has(name) && !FOREIGN.has(name))
    expect(unknown).toEqual([])
  })
})

it('comments name files that exist', () => {
  const named = texts
    .comments()
    .flatMap(({ file, line, text }) =>
      Array.from(text.matchAll(FILE), ([, path]) => ({ path, at: `${file}:${line}: ${path}` })),
    )
  expect(named.length).toBeGreaterThan(20)
  expect(named.filter(({ path }) => !isNamed(path)).map(({ at }) => at)).toEqual([])
})

/** Names from other software. */
const FOREIGN = new Set(['httpBatchStreamLink'])
const words = new Set(
  files
    .filter((file) => /\.(ts|tsx|mjs|js|json|yaml|yml)$/.test(file) && !file.endsWith('.gen.ts'))
    .flatMap((file) => readFileSync(join(root, file), 'utf8').match(/[A-Za-z]+/g) ?? []),
)

function isReachable(page, link) {
  const [path, section] = link.split('#')
  const target = path === '' ? page : normalize(join(dirname(page), path))
  if (!existsSync(join(root, target))) return false
  return section === undefined || !target.endsWith('.md') || listAnchors(target).includes(section)
}

/** Returns the anchors that GitHub creates for a page's headings. */
function listAnchors(page) {
  const headings = readProse(page).matchAll(/^#+ (.+)$/gm)
  return Array.from(headings, ([, text]) =>
    text
      .toLowerCase()
      .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
      .replace(/[^\p{L}\p{N}_\- ]/gu, '')
      .replaceAll(' ', '-'),
  )
}
