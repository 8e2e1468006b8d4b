import { newEmailField } from '@papermoon/contract/account-fields'
import { describe, expect, it } from 'vitest'

describe('the e-mail of a new account', () => {
  it.each([
    '<x@evil.org',
    'x>@evil.org',
    'a,b@evil.org',
    'a;b@evil.org',
    '"a b"@evil.org',
    'a:b@evil.org',
    '(a)@evil.org',
    'a@evil.org>',
    'a@[127.0.0.1]',
    'a@-evil.org',
    'a@evil..org',
    'a@evil_org',
    'a@b@evil.org',
    'evil.org',
  ])('is refused where it is none: %s', (email) => {
    expect(newEmailField.safeParse(email).error?.issues[0]?.message).toBe('must be an email address')
  })

  it.each([
    'luna@example.org',
    'luna.moon+play@mail.example.org',
    "o'neil@example.org",
    'luna@localhost',
    'łuna@księżyc.example',
    '用户@例子.广告',
  ])('is taken: %s', (email) => {
    expect(newEmailField.parse(email)).toBe(email)
  })
})
