import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { readJson, root, workspacePackages } from '../lib/project.mjs'

it('all packages have the same version, which is below Unreleased in the changelog', () => {
  const { version } = readJson(join(root, 'package.json'))
  expect([...new Set(workspacePackages().map(({ manifest }) => manifest.version))]).toEqual([version])
  const headings = readFileSync(join(root, 'CHANGELOG.md'), 'utf8').match(/^## .+$/gm)
  expect(headings?.slice(0, 2)).toEqual(['## Unreleased', `## ${version}`])
})
