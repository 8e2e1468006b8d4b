import { createHash, randomBytes } from 'node:crypto'
import type { Webhook } from '@papermoon/contract/webhooks'
import type { UserId } from '@papermoon/engine'
import type { AppPart } from '../../../context.ts'
import type { SecretPurpose } from '../../../security/secret-box.ts'
import type { ListedWebhook } from './store.ts'

const SECRET_BYTES = 32

const PREFIX = 'whsec_'

/** How long messages are also signed with the previous secret, in ms. */
export const OLD_SECRET_MS = 24 * 3_600_000

/** Converts a webhook's row to the form that its player sees. */
export async function toWebhook(
  { accounts: { secrets }, platform: { clock } }: AppPart<'secrets' | 'clock'>,
  row: ListedWebhook,
): Promise<Webhook> {
  const url = await secrets.open(row.url_sealed, toUrlPurpose(row.user_id))
  const isOldSecretGood = row.old_secret_until !== null && row.old_secret_until > clock.now()
  return {
    id: row.id,
    url: url === null ? `https://${row.host}/…` : maskUrl(url.toString(), row.format),
    format: row.format,
    events: row.events,
    tokenIds: row.token_ids,
    fairs: row.fairs,
    createdAt: row.created_at.toISOString(),
    status: getStatus(row),
    lastAt: toText(row.last_at),
    lastStatus: row.last_status,
    lastError: row.last_error,
    failingSince: toText(row.failing_since),
    nextAt: row.failing_since === null ? null : toText(row.next_at),
    missed: row.missed,
    oldSecretUntil: isOldSecretGood ? toText(row.old_secret_until) : null,
  }
}

function getStatus(row: ListedWebhook): Webhook['status'] {
  if (row.verified_at === null) return 'pending'
  if (row.stopped_at !== null) return 'stopped'
  return row.failing_since === null ? 'active' : 'failing'
}

function toText(time: Date | null): string | null {
  return time?.toISOString() ?? null
}

export function newWebhookSecret(): Buffer {
  return randomBytes(SECRET_BYTES)
}

/** Formats a secret in the way that Standard Webhooks requires. */
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

/** Returns a URL in the form that its owner sees later. The token of a Discord URL is removed. */
function maskUrl(url: string, format: 'standard' | 'discord'): string {
  return format === 'discord' ? url.replace(/[^/]+$/, '…') : url
}
