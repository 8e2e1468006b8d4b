import { describe, expect, it } from 'vitest'
import { NO_LIMITS, toInput } from '../../src/features/developers/keys/key-limits.ts'

describe('the limits of a key', () => {
  it('are left out if they are not set', () => {
    expect(toInput(NO_LIMITS)).toEqual({})
    expect(toInput({ lastDay: '', networks: ' , ', spending: '', isUnreadable: false })).toEqual({})
  })

  it('end with the last second of their day, in the player’s time zone', () => {
    const { expiresAt } = toInput({ ...NO_LIMITS, lastDay: '2026-11-29' })
    const end = new Date(String(expiresAt))
    expect([end.getFullYear(), end.getMonth(), end.getDate(), end.getHours(), end.getMinutes()]).toEqual([
      2026, 10, 29, 23, 59,
    ])
  })

  it('accept any separator between networks', () => {
    expect(toInput({ ...NO_LIMITS, networks: ' 10.0.0.0/8,::1 ;\n192.0.2.1' })).toEqual({
      networks: ['10.0.0.0/8', '::1', '192.0.2.1'],
    })
  })

  it('send the spending limit without a trailing decimal mark', () => {
    expect(toInput({ ...NO_LIMITS, spending: '2.50' })).toEqual({ spendingLimit: '2.50' })
    expect(toInput({ ...NO_LIMITS, spending: '2.' })).toEqual({ spendingLimit: '2' })
  })
})
