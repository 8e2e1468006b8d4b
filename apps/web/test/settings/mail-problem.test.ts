import { expect, it } from 'vitest'
import { findMailProblem } from '../../src/features/settings/notifications/notifications.tsx'

it('reminders go to a verified address of a server that sends mail, otherwise the settings say why not', () => {
  expect(findMailProblem({ canVerify: true, isVerified: true })).toBeNull()
  expect(findMailProblem({ canVerify: true, isVerified: false })).toContain('verify your email address')
  expect(findMailProblem({ canVerify: false, isVerified: true })).toContain('This server cannot')
})
