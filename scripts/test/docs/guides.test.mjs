import { globSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { root } from '../../lib/project.mjs'
import { listGuards, read, readSections } from './pages.mjs'

const find = (...patterns) => globSync(patterns, { cwd: root, exclude: (name) => name.includes('node_modules') }).sort()

/** A declaration's body, up to its closing bracket at the start of a line. */
const readDeclaration = (file, name) => new RegExp(`${name}\\b[\\s\\S]*?\\n[\\])}]`).exec(read(file))?.[0] ?? ''

/** Whether a text contains the path in quotes; after a path with a trailing slash, an id follows. */
function mentions(text, address) {
  const end = address.length > 1 && address.endsWith('/') ? '' : `['"\`?]`
  return new RegExp(`['"\`]${RegExp.escape(address)}${end}`).test(text)
}

describe('docs/guides/add-a-procedure.md', () => {
  const guide = 'docs/guides/add-a-procedure.md'

  it('lists every test that walks all procedures', () => {
    const walks =
      /for \(const .* of (procedures|restRoutes|Object\.entries\(badInputs)|\.\.\.procedures|(_def\.|\()procedures\)/
    const walking = find('{apps,packages}/*/test/**/*.test.ts').filter((file) => walks.test(read(file)))
    expect(walking.length).toBeGreaterThan(6)
    const missing = walking.filter((file) => !listGuards(guide).includes(file))
    expect(missing, `add them to the table of guards in ${guide}`).toEqual([])
  })

  it('lists every test that walks all tables', () => {
    const walking = find('{apps,packages}/*/test/**/*.test.ts').filter((file) => /pg_class|pg_tables/.test(read(file)))
    expect(walking.length).toBeGreaterThan(2)
    const missing = walking.filter((file) => !listGuards(guide).includes(file))
    expect(missing, `add them to the table of guards in ${guide}`).toEqual([])
  })

  it('explains every property of the meta of a procedure', () => {
    const meta = readDeclaration('apps/api/src/trpc.ts', 'interface ProcedureMeta')
    const properties = Array.from(meta.matchAll(/readonly (\w+)\?:/g), ([, name]) => name)
    expect(properties).toContain('apiKey')
    const text = read(guide)
    // Only cached queries have `answer`, and with it an example.
    expect(properties.filter((name) => name !== 'answer' && !text.includes(`| \`${name}\` |`))).toEqual([])
  })

  it('takes as its example a feature that has every file it names', () => {
    const files = find('apps/api/src/features/api-keys/*.ts').map((file) => file.split('/').at(-1))
    expect(files).toEqual(expect.arrayContaining(['schemas.ts', 'store.ts', 'router.ts', 'errors.ts']))
  })
})

describe('docs/guides/add-a-screen.md', () => {
  const screens = find('apps/web/src/routes/*.tsx')
    .map((file) => file.split('/').at(-1).replace('.tsx', ''))
    .filter((name) => !name.startsWith('__'))
    .map((name) => (name === 'index' ? '/' : `/${name.replace('.$id', '/')}`))
  const lists = {
    'a head': ['apps/api/src/http/pages/page-heads.ts', 'apps/api/src/http/pages/screen-pages.ts'],
    'the content security policy': ['apps/e2e/tests/shell/security-policy.spec.ts'],
    'a picture': ['apps/e2e/shots/screens.shots.ts'],
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

describe('docs/guides/add-a-bench.md', () => {
  const suites = find('apps/bench/src/suites/**/*.ts')
    .filter((file) => /: Suite = \{/.test(read(file)))
    .flatMap((file) => /^ {2}name: '(\w+)'/m.exec(read(file))?.[1] ?? file)

  it('is followed by every suite: it runs', () => {
    const [, names = ''] = /SUITES: readonly Suite\[\] = \[([^\]]*)\]/.exec(read('apps/bench/src/main.ts')) ?? []
    expect(names.match(/\w+/g)?.sort(), 'SUITES in apps/bench/src/main.ts').toEqual(suites.sort())
  })

  it('is followed by every suite: docs/performance.md describes it and has its figures', () => {
    const page = readSections(read('docs/performance.md'))
    const described = suites.filter((name) => page.get('Run it').includes(`| \`npm run bench -- ${name}\` |`))
    expect(described).toEqual(suites)
    expect(suites.filter((name) => page.get('Current figures').includes(`| \`${name}\` |`))).toEqual(suites)
  })
})
