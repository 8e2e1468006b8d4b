import type { Mail } from '../../../mailer.ts'

interface ResetLetter {
  readonly email: string
  /** Null where only the secret is valid. */
  readonly code: string | null
  /** The long secret; it works without a code. */
  readonly secret: string
  /** The base of links; never the Host header, which the client chooses. */
  readonly publicUrl: string | null
}

/**
 * The mail with a reset code. It has no text that the account's owner chose: anybody may register a stranger's address,
 * and a username can be an advertisement.
 */
export function resetMail({ email, code, secret, publicUrl }: ResetLetter): Mail {
  // The fragment never reaches a server, so no proxy logs the secret or the address.
  const link = publicUrl === null ? null : `${publicUrl}/reset-password#${secret}&email=${encodeURIComponent(email)}`
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
