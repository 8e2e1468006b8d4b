import { expect, it } from 'vitest'
import { findByAnchor, parseSection } from '../../src/features/settings/sections.ts'

it('opens the section in the URL, and the account for everything else', () => {
  expect(parseSection({ section: 'display' })).toEqual({ section: 'display' })
  for (const section of ['account', 'toString', '', 7, undefined])
    expect(parseSection({ section })).toEqual({ section: undefined })
})

it('follows the anchors of earlier links', () => {
  const found = ['security', 'password', 'notifications', 'talk', 'toString', ''].map(findByAnchor)
  expect(found).toEqual(['security', 'security', 'notifications', undefined, undefined, undefined])
})
