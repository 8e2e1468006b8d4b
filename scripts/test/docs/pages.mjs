import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../../lib/project.mjs'

/** Reads a file of the repository. */
export const read = (file) => readFileSync(join(root, file), 'utf8')

/** All documents, as paths from the root. */
export const pages = globSync(
  ['*.md', 'docs/**/*.md', 'packages/*/*.md', 'packages/guide/chapters/*.md', 'apps/*/*.md'],
  { cwd: root },
).sort()

/** Folders of the tests that documents name as `group/file`. */
const GROUPS = {
  amm: ['packages/amm/test', 'test.ts'],
  api: ['apps/api/test', 'test.ts'],
  bots: ['packages/bots/test', 'test.ts'],
  chain: ['packages/chain/test', 'test.ts'],
  client: ['packages/client/test', 'test.ts'],
  contract: ['packages/contract/test', 'test.ts'],
  db: ['packages/db/test', 'test.ts'],
  e2e: ['apps/e2e/tests', 'spec.ts'],
  engine: ['packages/engine/test', 'test.ts'],
  format: ['packages/format/test', 'test.ts'],
  live: ['packages/live/test', 'test.ts'],
  scripts: ['scripts/test', 'test.mjs'],
  web: ['apps/web/test', 'test.ts'],
}

/** Returns the test files that a text names as `group/file`, as paths from the root. */
export function listTestFiles(text) {
  const named = Array.from(text.matchAll(/`(\w+)\/([\w/-]+)`/g))
  return named.map(([, group, file]) => {
    const [folder = '', ending = ''] = GROUPS[group] ?? []
    return `${folder}/${file}.${ending}`
  })
}

/** Returns a page's second-level sections by title. */
export const readSections = (page) => new Map(page.split(/^## /m).map((text) => [text.split('\n')[0], text]))

/** Returns the rows of a text's tables as cells, without header rows. */
export function listRows(text) {
  const rows = text.split('\n').filter((line) => line.startsWith('| '))
  return rows.slice(1).map((line) => line.slice(2, -2).split(' | '))
}

/** Returns the files in the first column of a guide's table of guards. */
export function listGuards(guide) {
  const rows = listRows(readSections(read(guide)).get('5. Guards'))
  return rows.flatMap(([files]) => Array.from(files.matchAll(/`([^`]+)`/g), ([, file]) => file))
}
