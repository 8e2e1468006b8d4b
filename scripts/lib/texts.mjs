import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseSync, Visitor } from 'rolldown/utils'
import { root } from './project.mjs'

/** Functions that list the texts that people read, each text with its file and line. */
export const texts = { screens: readScreens, comments: readComments, docs: readDocs, api: readApi }
/** Files with texts for players: screens, formats, server-rendered pages, mails, push messages and notices. */
const SCREENS =
  /^(apps\/web\/(src|index|public\/offline\.html)|packages\/format\/src|packages\/engine\/src\/errors|apps\/api\/src\/(errors|mail|notices|http\/(pages|calls)|features|accounts))/
const DOCS = /^(docs\/.*|README|CONTRIBUTING|packages\/guide\/.*)\.md$|^packages\/guide\/src\/.*/
/** Matches text with two words or more, one of them in lower case, but no identifiers, selectors or SQL. */
const PROSE =
  /^(?!.*[={}<>_|]|.*;(?! \p{L})|select |insert |update |begin |declare |fetch |\w+ as \w+$|--|\.|\/|\(|color-mix|curl |node )(?=.*\p{Ll}{2}).*\p{L}+[ ’'].*\p{L}{2}/u
/** Matches a label of one word. */
const LABEL = /^\p{Lu}\p{Ll}+(\.\.\.|…)?$/u
/** Names of attributes and properties whose values are not for readers. */
const UNREAD =
  /^(className|classNames|key|rel|type|role|d|viewBox|autoCapitalize|preserveAspectRatio|aria-keyshortcuts|words|keys|event)$/

/** Lists the source files whose path matches the pattern, without tests. */
export function listFiles(pattern) {
  const files = execFileSync('git', ['ls-files'], { cwd: root, encoding: 'utf8' }).split('\n')
  return files.filter((file) => pattern.test(file) && !/\/test\/|\.test\.|\/testing\//.test(file))
}

const parsed = new Map()

/** Parses a file, once however many callers ask. `lineAt` returns an offset's line. */
export function parseFile(file) {
  if (parsed.has(file)) return parsed.get(file)
  const source = readFileSync(join(root, file), 'utf8')
  const { program, comments } = parseSync(file, source)
  const lineAt = (offset) => source.slice(0, offset).split('\n').length
  const result = { program, comments, source, lineAt }
  parsed.set(file, result)
  return result
}

function readScreens() {
  return listFiles(SCREENS).flatMap((file) => {
    if (file.endsWith('.html')) return readHtml(file)
    return /(?<!\.d)\.tsx?$/.test(file) ? readTexts(file) : []
  })
}

/** Reads a file without the matches of a pattern. The other lines keep their numbers. */
function readWithout(pattern, file) {
  return readFileSync(join(root, file), 'utf8').replace(pattern, (code) => code.replace(/[^\n]/g, ''))
}

function readHtml(file) {
  const lines = readWithout(/<(script|style)[\s\S]*?<\/\1>|<[^>]*>/g, file).split('\n')
  const texts = lines.map((text, index) => ({ file, line: index + 1, text: text.trim() }))
  return texts.filter(({ text }) => PROSE.test(text))
}

function readTexts(file) {
  const { program, lineAt } = parseFile(file)
  const isScreen = file.endsWith('.tsx')
  const texts = []
  const add = ({ start }, raw) => {
    const text = raw.replace(/\s+/g, ' ').trim()
    if (PROSE.test(text) || (isScreen && LABEL.test(text))) texts.push({ file, line: lineAt(start), text })
  }
  const skipped = new Set()
  const skip = (node) => {
    if (node === null || typeof node !== 'object') return
    skipped.add(node)
    for (const child of Object.values(node)) skip(child)
  }
  const addElement = (node) => {
    if (skipped.has(node) || !node.children.some(({ type, value }) => type === 'JSXText' && value.trim())) return
    add(node, toText(node, skipped))
  }
  new Visitor({
    ImportDeclaration: skip,
    ImportExpression: skip,
    TSLiteralType: skip,
    TaggedTemplateExpression: ({ quasi }) => skip(quasi),
    BinaryExpression: (node) => node.operator !== '+' && skip(node),
    NewExpression: (node) => /Error$/.test(node.callee.name) && skip(node),
    CallExpression: (node) => {
      if (node.callee.object?.name === 'console' || node.callee.name === 'assert') skip(node)
      // Skip word lists and names of modules.
      if (node.callee.name === 'words') skip(node)
      if (node.callee.property?.name === 'split') skip(node.callee.object)
      if (node.callee.name === 'lazyPart') skip(node.arguments[1])
    },
    JSXAttribute: (node) => UNREAD.test(node.name.name) && skip(node.value),
    Property: (node) => UNREAD.test(node.key.name) && skip(node.value),
    JSXElement: (node) => (node.openingElement.name.name === 'title' ? skip(node) : addElement(node)),
    JSXFragment: (node) => addElement(node),
    Literal: (node) => !skipped.has(node) && typeof node.value === 'string' && add(node, node.value),
    TemplateLiteral: (node) => !skipped.has(node) && add(node, node.quasis.map(({ value }) => value.cooked).join('…')),
  }).visit(program)
  return texts
}

/** Returns the text of an element and its children, with `…` for each value. Marks the children as skipped. */
function toText(node, skipped) {
  skipped.add(node)
  if (node.type === 'JSXText') return node.value
  if (node.type === 'JSXExpressionContainer') return node.expression.value ?? '…'
  if (node.children?.length === 0) return '…'
  return (node.children ?? []).map((child) => toText(child, skipped)).join('')
}

function readComments() {
  return listFiles(/^(apps|packages|scripts)\/.*\.(tsx?|mjs)$/).flatMap((file) => {
    const { comments, source, lineAt } = parseFile(file)
    return joinLines(comments, source).flatMap(({ value, start }) => {
      const text = value
        .replace(/^\s*\*+ ?/gm, '')
        .replace(/\s+/g, ' ')
        .trim()
      if (/^(biome-ignore|@|#)/.test(text)) return []
      return toSentences(text).map((sentence) => ({ file, line: lineAt(start), text: sentence }))
    })
  })
}

/** Joins comments that begin with `//` and follow each other line by line. */
function joinLines(comments, source) {
  const joined = []
  for (const comment of comments) {
    const last = joined.at(-1)
    const isNext = last?.type === 'Line' && comment.type === 'Line'
    if (isNext && /^\n\s*$/.test(source.slice(last.end, comment.start))) {
      joined[joined.length - 1] = { ...last, end: comment.end, value: `${last.value} ${comment.value}` }
    } else joined.push(comment)
  }
  return joined
}

function readDocs() {
  return listFiles(DOCS).flatMap((file) => {
    if (!file.endsWith('.md')) return []
    const prose = readWithout(/^```[\s\S]*?^```/gm, file)
    // A paragraph continues over several lines; a heading, a list item or a table row begins a new block.
    const blocks = prose.split(/\n(?=\s*\n|#|\s*[-*] |\s*\d+\. |\|)/)
    let line = 1
    return blocks.flatMap((block) => {
      const at = line + (block.match(/^\s*/)[0].split('\n').length - 1)
      line += block.split('\n').length
      const cells = block.trim().startsWith('|') ? block.split('|') : [block.trim().replace(/^[#>*\-\d. ]+/, '')]
      const texts = cells.flatMap((cell) => toSentences(cell.replace(/\s+/g, ' ').trim()))
      return texts.map((text) => ({ file, line: at, text }))
    })
  })
}

async function readApi() {
  const { createOpenApiDocument } = await import('../../apps/api/src/http/rest/openapi/document.ts')
  const texts = []
  const walk = (node, file) => {
    for (const [name, value] of Object.entries(node ?? {})) {
      const isText = (name === 'description' || name === 'summary') && typeof value === 'string'
      if (isText) texts.push(...toSentences(value).map((text) => ({ file, line: name, text })))
      else if (typeof value === 'object') walk(value, `${file}/${name}`)
    }
  }
  const origins = { publicUrl: 'https://papermoon.example', communityUrl: 'https://x.com/' }
  walk(createOpenApiDocument(origins, 'full'), 'openapi')
  return texts
}

function toSentences(text) {
  const sentences = [...new Intl.Segmenter('en', { granularity: 'sentence' }).segment(text)]
  return sentences.map(({ segment }) => segment.trim()).filter((sentence) => PROSE.test(sentence))
}
