import { describe, expect, it } from 'vitest'
import { eventText } from '../../src/features/settings/security/records/event-text.ts'

const formatText = (kind: string, detail: Record<string, string | number | boolean | null> = {}, times = 1) =>
  eventText({ kind, detail, times })

describe('eventText', () => {
  it('says what happened, with the names of the things concerned', () => {
    expect(formatText('key_made', { name: 'my bot' })).toEqual({
      sentence: 'API key created: my bot',
      isAlarming: false,
    })
    expect(formatText('signed_in', { by: 'password and code' })).toEqual({
      sentence: 'Logged in with password and code',
      isAlarming: false,
    })
    expect(formatText('signed_in')).toEqual({ sentence: 'Logged in', isAlarming: false })
    expect(formatText('email_change_asked')).toEqual({ sentence: 'Email change requested', isAlarming: false })
  })

  it('distinguishes a stranger who knows the password from one who does not', () => {
    const [code, password] = [formatText('sign_in_refused', { wrong: 'code' }), formatText('sign_in_refused')]
    expect(code).toEqual({ sentence: 'Login attempt with the right password and a wrong code', isAlarming: true })
    expect(password).toEqual({ sentence: 'Login attempt with a wrong password', isAlarming: true })
  })

  it('counts repeated events in one row', () => {
    expect(formatText('reset_requested', {}, 7)).toEqual({
      sentence: 'Reset code requested, 7 times',
      isAlarming: true,
    })
  })

  it('shows unknown kinds by name, even names of Object’s members', () => {
    expect(formatText('moon_landed')).toEqual({ sentence: 'moon landed', isAlarming: false })
    expect(formatText('constructor')).toEqual({ sentence: 'constructor', isAlarming: false })
  })
})
