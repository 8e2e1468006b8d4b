import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { addRelease } from '../lib/changelog.mjs'
import { readJson, root, workspacePackages } from '../lib/project.mjs'

const ofPackage = (version, text) => `# @papermoon/api\n\n## ${version}\n\n### Minor Changes\n\n- ${text}\n`

describe('the changelog of the product', () => {
  it('begins with the first version', () => {
    expect(addRelease('', ofPackage('0.2.0', 'One'))).toBe('# Changelog\n\n## 0.2.0\n\n### Minor Changes\n\n- One\n')
  })

  it('has the newest version first, and each once', () => {
    const first = addRelease('', ofPackage('0.2.0', 'One'))
    const both = addRelease(first, `${ofPackage('0.3.0', 'Two')}\n## 0.2.0\n\n- One\n`)
    expect(both).toBe(
      '# Changelog\n\n## 0.3.0\n\n### Minor Changes\n\n- Two\n\n## 0.2.0\n\n### Minor Changes\n\n- One\n',
    )
    expect(() => addRelease(both, ofPackage('0.3.0', 'Again'))).toThrow('already has 0.3.0')
  })

  it('is not written from nothing', () => {
    expect(() => addRelease('', '# @papermoon/api\n')).toThrow('no version')
  })

  it('begins with the version that every package has', () => {
    const { version } = readJson(join(root, 'package.json'))
    const versions = workspacePackages().map(({ manifest }) => manifest.version)
    expect([...new Set(versions)]).toEqual([version])
    const headings = readFileSync(join(root, 'CHANGELOG.md'), 'utf8').match(/^## .+$/gm)
    expect(headings?.[0]).toBe(`## ${version}`)
  })
})
