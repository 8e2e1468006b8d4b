import { createHmac } from 'node:crypto'
import type { AppPart } from '../../../../context.ts'
import { parseJson } from '../../../../lib/parse-json.ts'
import type { OutboundAnswer, OutboundCall } from '../../../../security/outbound.ts'
import type { SecretPurpose } from '../../../../security/secret-box.ts'
import { toSecretPurpose, toUrlPurpose } from '../secrets.ts'
import { toDiscordMessage, toDiscordPing } from './discord.ts'
import type { WebhookEvent } from './events.ts'
import type { Hook, TakenMessage } from './queue.ts'

type Parts = AppPart<'secrets' | 'clock'>

/** The secrets of a webhook cannot be decrypted: `SECRETS_KEY` was changed. */
export class UnreadableSecretError extends Error {}

/** The call that delivers a message. Throws `UnreadableSecretError`. */
export async function toCall(
  parts: Parts,
  message: TakenMessage,
  events: readonly WebhookEvent[],
): Promise<OutboundCall> {
  const { hook, detail } = message
  const url = (await openSecret(parts, hook.url_sealed, toUrlPurpose(hook.user_id))).toString()
  // Discord answers no challenge. A caller with the whole address may read about the webhook.
  if (hook.format === 'discord' && detail.kind === 'challenge') {
    return { url, method: 'GET', headers: USER_AGENT, body: Buffer.alloc(0) }
  }
  const body = JSON.stringify(toBody(message, events))
  const timestamp = Math.floor(parts.platform.clock.now().getTime() / 1_000)
  const id = `msg_${hook.id}_${message.number}`
  const signature = signMessage({ id, timestamp, body }, await openSigningSecrets(parts, hook))
  const bytes = Buffer.from(body)
  const headers = { ...USER_AGENT, 'content-type': 'application/json', 'content-length': bytes.length, ...signature }
  return { url, method: 'POST', headers, body: bytes }
}

/** Whether an answer takes a message; a challenge is taken by repeating it. */
export function isTaken({ hook, detail }: TakenMessage, url: string, { status, text }: OutboundAnswer): boolean {
  if (status < 200 || status >= 300) return false
  if (detail.kind !== 'challenge') return true
  return hook.format === 'discord' ? isDiscordWebhook(url, text) : repeatsChallenge(text, detail.challenge)
}

const USER_AGENT = { 'user-agent': 'Papermoon-Webhooks/1' }

function toBody({ hook, detail, createdAt }: TakenMessage, events: readonly WebhookEvent[]): object {
  if (hook.format === 'discord') {
    return detail.kind === 'events' ? toDiscordMessage(events, detail.missed) : toDiscordPing()
  }
  const timestamp = createdAt.toISOString()
  const data = { webhookId: hook.id }
  switch (detail.kind) {
    case 'challenge':
      return { type: 'challenge', timestamp, data: { ...data, challenge: detail.challenge } }
    case 'ping':
      return { type: 'ping', timestamp, data }
    case 'events':
      return { type: 'events', timestamp, data: { ...data, missed: detail.missed, events } }
  }
}

async function openSigningSecrets(parts: Parts, hook: Hook): Promise<Buffer[]> {
  const purpose = toSecretPurpose(hook.user_id)
  const { secret_sealed: sealed, old_secret_sealed: old, old_secret_until: until } = hook
  const isOldGood = old !== null && until !== null && until > parts.platform.clock.now()
  const secrets = isOldGood ? [sealed, old] : [sealed]
  return await Promise.all(secrets.map((secret) => openSecret(parts, secret, purpose)))
}

async function openSecret({ accounts: { secrets } }: Parts, sealed: Buffer, purpose: SecretPurpose): Promise<Buffer> {
  const opened = await secrets.open(sealed, purpose)
  if (opened === null) throw new UnreadableSecretError('a secret of a webhook cannot be read: was SECRETS_KEY changed?')
  return opened
}

/** Accepts plain text or the property `challenge` of a JSON object. */
function repeatsChallenge(text: string, challenge: string): boolean {
  const answer = parseJson(text)
  const repeated = typeof answer === 'object' && answer !== null && 'challenge' in answer ? answer.challenge : answer
  return repeated === challenge || text.trim() === challenge
}

/** Whether the answer describes the webhook whose id and token end the address. */
function isDiscordWebhook(url: string, text: string): boolean {
  const [id, token] = new URL(url).pathname.split('/').slice(-2)
  const answer = parseJson(text)
  if (typeof answer !== 'object' || answer === null || !('id' in answer) || !('token' in answer)) return false
  return id !== undefined && token !== undefined && answer.id === id && answer.token === token
}

/** The signed text of Standard Webhooks: see https://www.standardwebhooks.com. */
interface SignedMessage {
  readonly id: string
  /** Unix seconds of this try. */
  readonly timestamp: number
  readonly body: string
}

/** The headers of a message; each secret adds a signature. */
function signMessage(
  { id, timestamp, body }: SignedMessage,
  secrets: readonly Buffer[],
): Readonly<Record<string, string>> {
  const signatures = secrets.map(
    (secret) => `v1,${createHmac('sha256', secret).update(`${id}.${timestamp}.${body}`).digest('base64')}`,
  )
  return { 'webhook-id': id, 'webhook-timestamp': String(timestamp), 'webhook-signature': signatures.join(' ') }
}
