import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { listFilesBelow } from '../lib/files.mjs'
import { root } from '../lib/project.mjs'
import { parseTestArguments } from '../lib/tests/find-tests.mjs'
import { everything, selectTests } from '../lib/tests/test-map.mjs'

const paths = ['apps', 'packages', 'scripts', 'docs'].flatMap((folder) =>
  listFilesBelow(join(root, folder)).map((file) => `${folder}/${file}`),
)

describe('the map from changed paths to tests', () => {
  it('runs only the documents’ tests for a document', () => {
    expect(selectTests(['docs/engine.md', 'README.md'])).toEqual(['scripts/test/docs'])
  })

  it('runs a feature’s own tests and the guards of all procedures for a file of the API', () => {
    expect(selectTests(['apps/api/src/features/tokens/launch.ts'])).toEqual([
      'apps/api/test/http/rest',
      'apps/api/test/security/callers.test.ts',
      'apps/api/test/tokens',
      'apps/api/test/validation/bad-input.test.ts',
    ])
  })

  it('runs the tests that walk all procedures or tables for what adds one', () => {
    const added = [
      'apps/api/src/features/tokens/router.ts',
      'apps/api/test/support/bad-input.ts',
      'packages/db/src/migrations/0001-launchpad.ts',
    ]
    const selected = selectTests(added)
    expect(selected).toEqual(
      expect.arrayContaining([
        'apps/api/test/validation/bad-input.test.ts',
        'apps/api/test/account/deletion/personal-tables.test.ts',
      ]),
    )
    expect(selected).not.toContain('apps/api/test')
  })

  it('runs the test of the changelog for a changeset', () => {
    expect(selectTests(['.changeset/a-name.md'])).toEqual(['scripts/test/changelog.test.mjs'])
  })

  it('runs unit tests and the screens of the feature for a file of the web app', () => {
    expect(selectTests(['apps/web/src/features/chart/chart.tsx'])).toEqual([
      'apps/e2e/tests/chart/chart.spec.ts',
      'apps/e2e/tests/shell/first-calls.spec.ts',
      'apps/web/test',
    ])
  })

  it('runs a changed test itself', () => {
    expect(selectTests(['apps/api/test/tokens/list.test.ts'])).toEqual(['apps/api/test/tokens/list.test.ts'])
  })

  it.each(['pnpm-lock.yaml', 'turbo.json', 'apps/api/package.json', 'a-new-thing'])(
    'runs everything for %s',
    (path) => {
      expect(selectTests([path, 'docs/engine.md'])).toEqual([everything])
    },
  )

  it('names tests that exist, for every file of the repository', () => {
    expect(paths.length).toBeGreaterThan(1_000)
    const named = new Set(paths.flatMap((path) => selectTests([path])))
    named.delete(everything)
    expect([...named].filter((path) => !existsSync(join(root, path)))).toEqual([])
    expect(parseTestArguments([...named]).unknown).toEqual([])
  })

  it('has a row of its own for every source file', () => {
    const sources = paths.filter((path) => /\/src\/.+\.tsx?$/.test(path))
    expect(sources.filter((path) => selectTests([path]).length === 0)).toEqual([])
    expect(sources.filter((path) => selectTests([path])[0] === everything)).toEqual([])
  })
})
