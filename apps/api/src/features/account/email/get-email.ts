import type { EmailState } from '@papermoon/contract/security'
import type { UserId } from '@papermoon/engine'
import type { App } from '../../../context.ts'
import { findEmail } from '../store.ts'
import { canVerifyEmail } from './email-links.ts'

/** A player's e-mail address, whether it is verified, and the address that waits to replace it. */
export async function getEmail(app: App, userId: UserId): Promise<EmailState> {
  const row = await findEmail(app.platform.db, userId)
  const { email, email_key, email_verified_at, linked, linked_key, expires_at } = row
  const isPending =
    linked !== null && linked_key !== email_key && expires_at !== null && expires_at > app.platform.clock.now()
  return {
    email,
    isVerified: email_verified_at !== null,
    canVerify: canVerifyEmail(app),
    pending: isPending ? { email: linked, expiresAt: expires_at.toISOString() } : null,
  }
}
