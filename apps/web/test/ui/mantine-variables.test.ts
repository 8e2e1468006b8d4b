import { expect, it } from 'vitest'
import { writeMantineVariables } from '../../src/mantine-variables.ts'

it('defines Mantine’s variables for parts that use Mantine, so that loading them restyles no other part', () => {
  const sheet = writeMantineVariables()
  expect(sheet).toContain('--mantine-primary-color-filled: var(--mantine-color-moon-filled)')
  for (const scheme of ['light', 'dark']) {
    expect(sheet).toContain(`:root[data-mantine-color-scheme="${scheme}"] :is([data-themed], [data-portal]){`)
  }
  const selectors = [...sheet.matchAll(/([^{}]+)\{/g)].map(([, selector = '']) => selector.trim())
  expect(selectors.length).toBeGreaterThan(3)
  expect(selectors.filter((selector) => !/\[data-(themed|portal)\]\)?$/.test(selector))).toEqual([])
})
