import { createHash, randomBytes } from 'node:crypto'
import type { UserId } from '@papermoon/engine'
import type { SecretPurpose } from '../../../security/secret-box.ts'

const SECRET_BYTES = 32
const PREFIX = 'whsec_'

/** How long the secret before signs too. */
export const OLD_SECRET_MS = 24 * 3_600_000

export function newWebhookSecret(): Buffer {
  return randomBytes(SECRET_BYTES)
}

/** A secret as Standard Webhooks writes it. */
export function formatSecret(secret: Buffer): string {
  return PREFIX + secret.toString('base64')
}

export function toSecretPurpose(userId: UserId): SecretPurpose {
  return `webhook:${userId}`
}

export function toUrlPurpose(userId: UserId): SecretPurpose {
  return `webhook address:${userId}`
}

export function hashUrl(url: string): Buffer {
  return createHash('sha256').update(url).digest()
}

/** An address as its owner sees it again: that of Discord without the token, which lets anyone post. */
export function maskUrl(url: string, format: 'standard' | 'discord'): string {
  return format === 'discord' ? url.replace(/[^/]+$/, '…') : url
}
