import type { Mail } from '../../mailer.ts'

interface ResetLetter {
  readonly email: string
  readonly username: string
  readonly code: string
  /** The only address that a link may begin with: a Host header is whatever somebody sent. */
  readonly publicUrl: string | null
}

/** The mail that carries a reset code. */
export function resetMail({ email, username, code, publicUrl }: ResetLetter): Mail {
  const where = publicUrl === null ? [] : [`${publicUrl}/reset-password?email=${encodeURIComponent(email)}`, '']
  const lines = [
    `Hello ${username},`,
    '',
    `your reset code for Papermoon is ${code}. It is good for 15 minutes, once.`,
    '',
    ...where,
    'If you did not ask for it, you need do nothing: without the code nothing changes.',
  ]
  return { to: email, subject: 'Your Papermoon reset code', text: `${lines.join('\n')}\n` }
}
