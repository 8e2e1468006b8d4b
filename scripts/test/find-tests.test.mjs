import { globSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { root } from '../lib/project.mjs'
import { listTests, parseTestArguments } from '../lib/tests/find-tests.mjs'

const api = join(root, 'apps', 'api')
const web = join(root, 'apps', 'web')
const tests = [
  { folder: api, file: 'test/trading/rug.test.ts' },
  { folder: api, file: 'test/trading/buy.test.ts' },
  { folder: api, file: 'test/trading-2/buy.test.ts' },
  { folder: web, file: 'test/trading/rug-stakes.test.ts' },
]
const parse = (args, options) => parseTestArguments(args, { tests, ...options })

describe('the arguments of npm run t', () => {
  it.each([['apps/api/test/trading/rug.test.ts'], ['./apps/api/test/trading/rug.test.ts'], [join(api, tests[0].file)]])(
    'take %s for one file',
    (word) => expect(parse([word]).groups).toEqual([{ folder: api, files: ['test/trading/rug.test.ts'] }]),
  )

  it('take a path from the folder in which npm was called', () => {
    expect(parse(['test/trading/rug.test.ts'], { cwd: api }).groups).toEqual([
      { folder: api, files: ['test/trading/rug.test.ts'] },
    ])
  })

  it('take a folder for what is below it, not for its neighbours', () => {
    expect(parse(['apps/api/test/trading']).groups).toEqual([
      { folder: api, files: ['test/trading/rug.test.ts', 'test/trading/buy.test.ts'] },
    ])
  })

  it('take a part of paths in any package, each file once', () => {
    expect(parse(['rug', 'rug-stakes']).groups).toEqual([
      { folder: api, files: ['test/trading/rug.test.ts'] },
      { folder: web, files: ['test/trading/rug-stakes.test.ts'] },
    ])
  })

  it('leave everything from the first dash to the runner', () => {
    const { groups, options } = parse(['buy', '-t', 'rug'])
    expect(groups).toEqual([{ folder: api, files: ['test/trading/buy.test.ts', 'test/trading-2/buy.test.ts'] }])
    expect(options).toEqual(['-t', 'rug'])
  })

  it('name what matches no test', () => {
    expect(parse(['rug', 'apps/api/test/none.test.ts']).unknown).toEqual(['apps/api/test/none.test.ts'])
  })
})

describe('the test files of the repository', () => {
  it('are all found', () => {
    const files = globSync('{apps,packages,scripts,docs}/**/*.{test,spec}.{ts,tsx,mjs}', {
      cwd: root,
      exclude: (name) => name === 'node_modules' || name === 'dist',
    })
    const found = new Set(listTests().map(({ folder, file }) => join(folder, file)))
    expect(files.length).toBeGreaterThan(100)
    expect(files.filter((path) => !found.has(join(root, path)))).toEqual([])
  })
})
