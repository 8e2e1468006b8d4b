import type { Mail } from '../../../mailer.ts'

interface ResetLetter {
  readonly email: string
  /** Null where only the secret is good. */
  readonly code: string | null
  /** The long secret: whoever has it needs no code. */
  readonly secret: string
  /** The only address that a link may begin with: a Host header is whatever somebody sent. */
  readonly publicUrl: string | null
}

/**
 * The mail that carries a reset code. Nothing in it was chosen by whoever has the account: anybody may register a stranger's
 * address, and a username can be an advertisement.
 */
export function resetMail({ email, code, secret, publicUrl }: ResetLetter): Mail {
  // The fragment stays in the browser: no server or proxy on the way logs it.
  const link = publicUrl === null ? null : `${publicUrl}/reset-password?email=${encodeURIComponent(email)}#${secret}`
  const shownCode = code ?? (link === null ? secret : null)
  const lines = [
    'Hello,',
    '',
    ...(shownCode === null
      ? []
      : [`your reset code for Papermoon is ${shownCode}. It is good for 15 minutes, once.`, '']),
    ...(link === null ? [] : ['With this link you can set a new password at once, within 15 minutes:', '', link, '']),
    'If you did not ask for it, you need do nothing: without it nothing changes.',
  ]
  return { to: email, subject: 'Your Papermoon reset code', text: `${lines.join('\n')}\n` }
}
