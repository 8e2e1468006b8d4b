import { expect, it } from 'vitest'
import { findMailProblem } from '../../src/features/settings/notifications/notifications.tsx'

it('reminders require a verified address and a server that sends mail, and otherwise the settings say why there are none', () => {
  expect(findMailProblem({ canVerify: true, isVerified: true })).toBeNull()
  expect(findMailProblem({ canVerify: true, isVerified: false })).toContain('verify your email address')
  expect(findMailProblem({ canVerify: false, isVerified: true })).toContain('This server cannot')
})
