import { beforeEach, describe, expect, it } from 'vitest'
import { isNewPassword } from '../../src/lib/ui/new-password.ts'
import { latestToast, showToast } from '../../src/lib/ui/toasts.ts'

beforeEach(() => showToast({ title: 'nothing' }))

const toastTitle = () => latestToast()?.toast.title

describe('isNewPassword', () => {
  it('accepts six characters entered twice, without a message', () => {
    expect(isNewPassword('sixsix', 'sixsix')).toBe(true)
    expect(toastTitle()).toBe('nothing')
  })

  it('rejects five characters with the words of the specification', () => {
    expect(isNewPassword('fives', 'fives')).toBe(false)
    expect(latestToast()?.toast).toEqual({
      title: 'Password too short',
      message: 'Password must be at least 6 characters',
      kind: 'destructive',
    })
  })

  it('first says that two short passwords differ', () => {
    expect(isNewPassword('five', 'four')).toBe(false)
    expect(latestToast()?.toast).toEqual({
      title: "Passwords don't match",
      message: 'Please make sure your passwords match',
      kind: 'destructive',
    })
  })

  it('compares case and spaces', () => {
    expect(isNewPassword('a moon', 'A moon')).toBe(false)
    expect(isNewPassword('a moon', 'a moon ')).toBe(false)
  })
})
