import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { basename, dirname, join, normalize } from 'node:path'
import { root } from './lib/project.mjs'

/**
 * `npm run proportion`: the size of the repository, as the Markdown tables of CONTRIBUTING.md. Counts all lines of tracked
 * ts, tsx, mjs, css and py files. Tests are files below `test` folders, `*.test.*`, the browser tests and those of the
 * Python client.
 */
const CODE = /\.(ts|tsx|mjs|css|py)$/
const TEST = /(^|\/)test\/|\.test\.|^apps\/e2e\/|^clients\/python\/tests\//
const IMPORTED = /(?:from|import)\s*\(?\s*['"]([^'"]+)['"]/g
/** Max lines of a crumb: a short file with one importer, which should be part of it. */
const CRUMB_LINES = 25

const files = listTracked().filter((path) => CODE.test(path))
const texts = new Map(files.map((path) => [path, readFileSync(join(root, path), 'utf8')]))
const sources = files.filter((path) => !TEST.test(path))
const importers = countImporters()
const published = new Set(listTracked('packages/*/package.json').flatMap(listExports))

printPackages()
printTotals()

function listTracked(...paths) {
  const options = { cwd: root, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 }
  return execFileSync('git', ['ls-files', ...paths], options)
    .split('\n')
    .filter(Boolean)
}

/** Files that a package's manifest exports; `*` stands for any file of a folder. */
function listExports(path) {
  const { exports = {} } = JSON.parse(readFileSync(join(root, path), 'utf8'))
  const targets = Object.values(exports).filter((target) => typeof target === 'string')
  const offered = targets.map((target) => normalize(join(dirname(path), target)))
  const inFolder = (folder) => files.filter((file) => dirname(file) === folder)
  return offered.flatMap((target) => (basename(target).startsWith('*') ? inFolder(dirname(target)) : target))
}

function countLines(paths) {
  return paths.reduce((sum, path) => sum + (texts.get(path)?.split('\n').length ?? 1) - 1, 0)
}

function printPackages() {
  const folders = new Map()
  for (const path of files) {
    const [group, name] = path.split('/')
    const folder = ['apps', 'packages', 'clients'].includes(group) ? `${group}/${name}` : group
    folders.set(folder, [...(folders.get(folder) ?? []), path])
  }
  const rows = [...folders].sort().map(([folder, paths]) => {
    const own = paths.filter((path) => !TEST.test(path))
    return [folder, countLines(own), own.length, countLines(paths.filter((path) => TEST.test(path)))]
  })
  printTable(['folder', 'source lines', 'files', 'test lines'], rows)
}

function printTotals() {
  const docs = listTracked('docs').filter((path) => path.endsWith('.md'))
  const docsLines = docs.reduce((sum, path) => sum + readFileSync(join(root, path), 'utf8').split('\n').length - 1, 0)
  printTable(
    ['what', 'count'],
    [
      ['source lines', countLines(sources)],
      ['test lines', countLines(files.filter((path) => TEST.test(path)))],
      ['source files', sources.length],
      [`source files under ${CRUMB_LINES} lines with one importer`, sources.filter(isCrumb).length],
      ['settings', countMatches('apps/api/src/config.ts', /^ {2}[A-Z][A-Z0-9_]+: /gm)],
      ['rate limits', countMatches('apps/api/src/security/rate-limits.ts', /^ {2}'?[a-z-]+'?: \{/gm)],
      ['members of App', countMembers('apps/api/src/context.ts', 'App')],
      ['pages and lines of docs', `${docs.length}, ${docsLines}`],
    ],
  )
}

/** Number of files that import each file by a relative path. */
function countImporters() {
  const known = new Map()
  for (const path of sources) {
    for (const [, specifier] of texts.get(path).matchAll(IMPORTED)) {
      if (!specifier.startsWith('.')) continue
      const target = normalize(join(dirname(path), specifier))
      known.set(target, new Set([...(known.get(target) ?? []), path]))
    }
  }
  return known
}

/** Components, migrations, routers, use cases and public files of a package may be short. */
function isCrumb(path) {
  if (!path.endsWith('.ts') || path.includes('/migrations/')) return false
  const [importer = '', ...others] = importers.get(path) ?? []
  const isPiece = importer !== '' && others.length === 0 && !['index.ts', 'router.ts'].includes(basename(importer))
  return isPiece && basename(path) !== 'router.ts' && !published.has(path) && countLines([path]) < CRUMB_LINES
}

function countMatches(path, pattern) {
  return [...(texts.get(path) ?? '').matchAll(pattern)].length
}

function countMembers(path, name) {
  const [, body = ''] = new RegExp(`interface ${name} \\{\\n([\\s\\S]*?)\\n\\}`).exec(texts.get(path) ?? '') ?? []
  return [...body.matchAll(/^ {2}(?:readonly )?\w+[(:]/gm)].length
}

function printTable(head, rows) {
  const lines = [head, head.map((_, column) => (column === 0 ? '---' : '---:')), ...rows]
  process.stdout.write(`${lines.map((cells) => `| ${cells.join(' | ')} |`).join('\n')}\n\n`)
}
