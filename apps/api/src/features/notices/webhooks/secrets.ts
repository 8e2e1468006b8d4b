import { createHash, randomBytes } from 'node:crypto'
import type { UserId } from '@papermoon/engine'
import type { SecretPurpose } from '../../../security/secret-box.ts'

const SECRET_BYTES = 32
const PREFIX = 'whsec_'

/** How long the previous secret also signs messages, in ms. */
export const OLD_SECRET_MS = 24 * 3_600_000

export function newWebhookSecret(): Buffer {
  return randomBytes(SECRET_BYTES)
}

/** Formats a secret as Standard Webhooks does. */
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

/**
 * Returns a URL as its owner sees it again. Removes the token from a Discord URL, because anyone who has it can post.
 */
export function maskUrl(url: string, format: 'standard' | 'discord'): string {
  return format === 'discord' ? url.replace(/[^/]+$/, '…') : url
}
