import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './lib/project.mjs'

/** `npm run proportion`: counts each package's lines of source and tests, and the words in the docs. */
const TEST = /(^|\/)tests?\/|\.test\.|^apps\/e2e\//
const files = execFileSync('git', ['ls-files'], { cwd: root, encoding: 'utf8', maxBuffer: 2 ** 26 }).split('\n')
const read = (path) => readFileSync(join(root, path), 'utf8')
const count = (paths, mark) => paths.reduce((sum, path) => sum + (read(path).match(mark) ?? []).length, 0)
const toPackage = (path) => path.split('/', /^(apps|packages|clients)\//.test(path) ? 2 : 1).join('/')
const code = files.filter((path) => /\.(ts|tsx|mjs|css|py)$/.test(path))
const rows = [...new Set(code.map(toPackage)), 'all'].sort().map((name) => {
  const own = code.filter((path) => name === 'all' || toPackage(path) === name)
  const [tests, sources] = [own.filter((path) => TEST.test(path)), own.filter((path) => !TEST.test(path))]
  return `| ${name} | ${count(sources, /\n/g)} | ${sources.length} | ${count(tests, /\n/g)} |`
})
const docs = files.filter((path) => /^docs\/.*\.md$/.test(path))
process.stdout.write(`| folder | source lines | files | test lines |\n|---|---:|---:|---:|\n${rows.join('\n')}\n`)
process.stdout.write(`\n${docs.length} pages of docs with ${count(docs, /\S+/g)} words\n`)
