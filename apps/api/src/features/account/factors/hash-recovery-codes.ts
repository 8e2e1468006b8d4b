import type { Context } from '../../../context.ts'
import { formatRecoveryCode, getSelector, newRecoveryCodes } from './recovery-code.ts'

interface HashedCodes {
  /** For the player; never shown again. */
  readonly shown: string[]
  readonly stored: readonly { readonly selector: string; readonly codeHash: string }[]
}

/** Ten new recovery codes and their argon2id hashes. Throws `PasswordQueueFullError`. */
export async function hashRecoveryCodes({ app, ip }: Pick<Context, 'app' | 'ip'>): Promise<HashedCodes> {
  const codes = newRecoveryCodes()
  const stored: { selector: string; codeHash: string }[] = []
  // Sequential: ten concurrent hashes would delay logins.
  for (const code of codes)
    stored.push({ selector: getSelector(code), codeHash: await app.accounts.passwords.hash(ip, code) })
  return { shown: codes.map(formatRecoveryCode), stored }
}
