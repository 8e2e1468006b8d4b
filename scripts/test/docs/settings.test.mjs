import { describe, expect, it } from 'vitest'
import { toPage } from '../../../apps/api/src/commands/config.ts'
import { describeSettings } from '../../../apps/api/src/config.ts'
import { read } from './pages.mjs'

describe('docs/operations/settings.md', () => {
  it('is what the settings say', () => {
    const command = 'npm run --silent config -- --markdown > docs/operations/settings.md'
    expect(read('docs/operations/settings.md') === toPage(), command).toBe(true)
  })

  it('says what each one means', () => {
    for (const { name, meaning } of describeSettings()) expect(`${name}: ${meaning}`).toMatch(/: .{15,}\.$/)
  })
})
