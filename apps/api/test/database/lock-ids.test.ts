import { expect, it } from 'vitest'
import { LOCK_IDS } from '../../src/database/take-lock.ts'

it('no two jobs share an advisory lock, because the demo world’s keeper holds its lock for hours', () => {
  const ids = Object.values(LOCK_IDS)
  expect(ids).toEqual([...new Set(ids)])
})
