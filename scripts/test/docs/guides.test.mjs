import { globSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { root } from '../../lib/project.mjs'
import { listGuards, read, readSections } from './pages.mjs'

const find = (...patterns) => globSync(patterns, { cwd: root, exclude: (name) => name.includes('node_modules') }).sort()

/** Returns whether a text contains the path in quotes. After a path with a trailing slash, an id can follow. */
function mentions(text, address) {
  const end = address.length > 1 && address.endsWith('/') ? '' : `['"\`?]`
  return new RegExp(`['"\`]${RegExp.escape(address)}${end}`).test(text)
}

describe('docs/guides/add-a-procedure.md', () => {
  it('uses a feature as its example that has every file it names', () => {
    const files = find('apps/api/src/features/watchlist/*.ts').map((file) => file.split('/').at(-1))
    expect(files).toEqual(expect.arrayContaining(['store.ts', 'change-watchlist.ts']))
  })
})

describe('docs/guides/add-a-screen.md', () => {
  const paths = read('apps/web/src/router.tsx').matchAll(/(?:path: |addScreen\(\s*)'([^']+)'/g)
  const screens = [...paths].map(([, path]) => path.replace('/{-$id}', '').replace('$id', ''))
  const lists = {
    'a head': ['apps/api/src/http/pages/page-heads.ts', 'apps/api/src/http/pages/screen-pages.ts'],
    'a look': ['market-screens', 'account-screens', 'pictures'].map((name) => `apps/e2e/looks/${name}.ts`),
  }

  it.each(Object.entries(lists))('is followed by every screen: %s', (_what, files) => {
    const texts = files.map(read).join('\n')
    const missing = screens.filter((screen) => !mentions(texts, screen))
    expect(screens.length).toBeGreaterThan(10)
    expect(missing, `add them to ${files.join(' or ')}`).toEqual([])
  })

  it('lists every guard', () => {
    expect(listGuards('docs/guides/add-a-screen.md').sort()).toEqual(Object.values(lists).flat().sort())
  })
})

describe('docs/performance.md', () => {
  const suites = find('apps/bench/src/suites/*.ts')
    .filter((file) => /: Suite = \{/.test(read(file)))
    .flatMap((file) => /^ {2}name: '(\w+)'/m.exec(read(file))?.[1] ?? file)

  it('describes only suites that are run', () => {
    const [, names = ''] = /SUITES: readonly Suite\[\] = \[([^\]]*)\]/.exec(read('apps/bench/src/main.ts')) ?? []
    expect(names.match(/\w+/g)?.sort(), 'SUITES in apps/bench/src/main.ts').toEqual(suites.sort())
  })

  it('describes every suite and contains its figures', () => {
    const page = readSections(read('docs/performance.md'))
    const described = suites.filter((name) => page.get('Run it').includes(`| \`npm run bench -- ${name}\` |`))
    expect(described).toEqual(suites)
    expect(suites.filter((name) => page.get('Current figures').includes(`| \`${name}\` |`))).toEqual(suites)
  })
})
