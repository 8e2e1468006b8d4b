import { describe, expect, it } from 'vitest'
import { toPage } from '../../../apps/api/src/commands/config.ts'
import { describeSettings } from '../../../apps/api/src/config.ts'
import { read } from './pages.mjs'

describe('docs/operations/settings.md', () => {
  it('matches the settings in the code', () => {
    const command = 'npm run --silent config -- --markdown > docs/operations/settings.md'
    expect(read('docs/operations/settings.md') === toPage(), command).toBe(true)
  })

  it('explains every setting', () => {
    for (const { name, meaning } of describeSettings()) expect(`${name}: ${meaning}`).toMatch(/: .{15,}\.$/)
  })
})
