import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { root, workspacePackages } from '../lib/project.mjs'

it('the seed is set in every configuration that runs property tests', () => {
  const users = workspacePackages().filter(({ manifest }) => manifest.devDependencies?.['fast-check'])
  const configs = users.flatMap(({ folder }) =>
    globSync('vitest.config.{ts,mjs}', { cwd: folder }).map((name) => join(folder, name)),
  )
  const read = (path) => /setupFiles: \[?'([^']+)'/.exec(readFileSync(path, 'utf8'))?.[1] ?? ''
  const setup = join(root, 'scripts/lib/tests/property-seed.mjs')
  expect(configs.filter((path) => join(path, '..', read(path)) !== setup)).toEqual([])
})
