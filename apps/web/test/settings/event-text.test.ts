import { describe, expect, it } from 'vitest'
import { eventText } from '../../src/features/settings/security/records/event-text.ts'

const textOf = (kind: string, detail: Record<string, string | number | boolean | null> = {}, times = 1) =>
  eventText({ kind, detail, times })

describe('eventText', () => {
  it('says what happened, with the names of what it happened to', () => {
    expect(textOf('key_made', { name: 'my bot' })).toEqual({ sentence: 'An API key was made: my bot' })
    expect(textOf('signed_in', { by: 'password and code' })).toEqual({ sentence: 'Signed in with password and code' })
    expect(textOf('signed_in')).toEqual({ sentence: 'Signed in' })
  })

  it('tells a stranger who knows the password from one who does not', () => {
    const [code, password] = [textOf('sign_in_refused', { wrong: 'code' }), textOf('sign_in_refused')]
    expect(code).toEqual({ sentence: 'A sign-in with your password and a wrong code', isAlarming: true })
    expect(password).toEqual({ sentence: 'A sign-in with a wrong password', isAlarming: true })
  })

  it('counts what is one row', () => {
    expect(textOf('reset_requested', {}, 7)).toEqual({
      sentence: 'A reset code was asked for, 7 times',
      isAlarming: true,
    })
  })

  it('names what a newer server knows and this page does not, and no part of Object', () => {
    expect(textOf('moon_landed')).toEqual({ sentence: 'moon landed' })
    expect(textOf('constructor')).toEqual({ sentence: 'constructor' })
  })
})
