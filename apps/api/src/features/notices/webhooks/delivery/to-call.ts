import { createHmac } from 'node:crypto'
import type { FairEvent } from '@papermoon/contract/market-events'
import { formatPrice, formatSol } from '@papermoon/format'
import { describeTrigger } from '@papermoon/format/notice-text'
import type { AppPart } from '../../../../context.ts'
import { parseJson } from '../../../../lib/text.ts'
import type { OutboundAnswer, OutboundCall } from '../../../../security/outbound.ts'
import type { SecretPurpose } from '../../../../security/secret-box.ts'
import type { WebhookRow } from '../store.ts'
import { toSecretPurpose, toUrlPurpose } from '../to-webhook.ts'
import type { TakenMessage } from './queue.ts'
import type { WebhookEvent } from './read-events.ts'

/**
 * Max number of characters in the text of a message. Discord allows 4,096 characters per message. This length is enough
 * for the 25 longest lines and one line about omitted events.
 */
const DESCRIPTION_CHARS_MAX = 4_000
const LINE_CHARS_MAX = 150
const MOON = 0xffcf5c

type Parts = AppPart<'secrets' | 'clock'>

/** The webhook's secrets cannot be decrypted, because `SECRETS_KEY` was changed. */
export class UnreadableSecretError extends Error {}

/** Builds the call that delivers a message. Throws `UnreadableSecretError`. */
export async function toCall(
  parts: Parts,
  message: TakenMessage,
  events: readonly WebhookEvent[],
): Promise<OutboundCall> {
  const { hook, detail } = message
  const url = (await openSecret(parts, hook.url_sealed, toUrlPurpose(hook.user_id))).toString()
  // Discord does not respond to challenges. Instead, read the webhook's description, which anyone with the whole URL
  // can read.
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

/** Returns whether the receiver accepted a message. The response to a challenge must repeat the challenge. */
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

async function openSigningSecrets(parts: Parts, hook: WebhookRow): Promise<Buffer[]> {
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

/** Returns whether a response repeats the challenge, as plain text or as the property `challenge` of a JSON object. */
function repeatsChallenge(text: string, challenge: string): boolean {
  const answer = parseJson(text)
  const repeated = typeof answer === 'object' && answer !== null && 'challenge' in answer ? answer.challenge : answer
  return repeated === challenge || text.trim() === challenge
}

/** Returns whether the response describes the webhook whose id and token are at the end of the URL. */
function isDiscordWebhook(url: string, text: string): boolean {
  const [id, token] = new URL(url).pathname.split('/').slice(-2)
  const answer = parseJson(text)
  if (typeof answer !== 'object' || answer === null || !('id' in answer) || !('token' in answer)) return false
  return id !== undefined && token !== undefined && answer.id === id && answer.token === token
}

/** The text to sign, as Standard Webhooks requires: see https://www.standardwebhooks.com. */
interface SignedMessage {
  readonly id: string
  /** Time of this attempt in Unix seconds. */
  readonly timestamp: number
  readonly body: string
}

/** Builds the headers of a message, with one signature per secret. */
function signMessage(
  { id, timestamp, body }: SignedMessage,
  secrets: readonly Buffer[],
): Readonly<Record<string, string>> {
  const signatures = secrets.map(
    (secret) => `v1,${createHmac('sha256', secret).update(`${id}.${timestamp}.${body}`).digest('base64')}`,
  )
  return { 'webhook-id': id, 'webhook-timestamp': String(timestamp), 'webhook-signature': signatures.join(' ') }
}

interface DiscordMessage {
  readonly username: string
  readonly content: string
  readonly embeds: readonly { readonly description: string; readonly color: number; readonly timestamp?: string }[]
  readonly allowed_mentions: { readonly parse: readonly [] }
}

/**
 * Formats events as a message to Discord. Escapes names, so that they cannot mention anyone, change the format or
 * become a link.
 */
export function toDiscordMessage(events: readonly WebhookEvent[], missed: number): DiscordMessage {
  const lines = events.map(toLine)
  if (missed > 0) lines.unshift(`${missed} older events were left out.`)
  const description = joinLines(lines)
  const timestamp = events.at(-1)?.timestamp
  return toMessage(countEvents(events), [{ description, color: MOON, ...(timestamp !== undefined && { timestamp }) }])
}

/** Joins as many lines as fit into the message. If some lines do not fit, the last line says how many are missing. */
function joinLines(lines: readonly string[]): string {
  const text = lines.join('\n')
  if (text.length <= DESCRIPTION_CHARS_MAX) return text
  const shown = lines.slice(0, Math.floor(DESCRIPTION_CHARS_MAX / (LINE_CHARS_MAX + 1)) - 1)
  return [...shown, `${lines.length - shown.length} more events did not fit into this message.`].join('\n')
}

function toDiscordPing(): DiscordMessage {
  return toMessage('This webhook works. Papermoon will send the events you chose here.', [])
}

function toMessage(content: string, embeds: DiscordMessage['embeds']): DiscordMessage {
  return { username: 'Papermoon', content, embeds, allowed_mentions: { parse: [] } }
}

function countEvents(events: readonly WebhookEvent[]): string {
  return events.length === 1 ? 'Something happened on Papermoon' : `${events.length} things happened on Papermoon`
}

/** Escapes everything that Discord could read as formatting, a mention, a link or an emoji. */
function escapeDiscord(text: string): string {
  return text.replace(/[!-/:-@[-`{-~]/g, '\\$&')
}

function toLine(event: WebhookEvent): string {
  const line = describe(event)
  return line.length <= LINE_CHARS_MAX ? line : `${line.slice(0, LINE_CHARS_MAX - 1).replace(/\\$/, '')}…`
}

function describe(event: WebhookEvent): string {
  switch (event.type) {
    case 'trade':
    case 'fill': {
      const { side, solAmount, spotPrice, username } = event.data.trade
      const verb = side === 'buy' ? 'bought' : 'sold'
      const who = event.type === 'fill' ? 'You' : escapeDiscord(username)
      return `${toToken(event.data)} ${who} ${verb} for ${formatSol(solAmount, 2)} SOL, price ${formatPrice(spotPrice)} SOL`
    }
    case 'launch':
      return `${toToken(event.data)} ${escapeDiscord(event.data.creator.username)} launched ${escapeDiscord(event.data.name)}`
    case 'rug':
      return `${toToken(event.data)} ${escapeDiscord(event.data.username)} rugged the token and took ${formatSol(event.data.amount, 2)} SOL`
    case 'fair':
      return `🎪 ${escapeDiscord(event.data.name)}: ${tellMoment(event.data)}`
    case 'post': {
      const { kind, post } = event.data
      const writer = escapeDiscord(post.writer.username)
      if (post.state !== 'shown') return `${toToken(event.data)} A post by ${writer} was removed`
      const text = escapeDiscord(post.text.replace(/\s+/g, ' '))
      if (kind === 'shown') return `${toToken(event.data)} ${writer} said: ${text}`
      if (post.editedAt !== null) return `${toToken(event.data)} ${writer} edited a post: ${text}`
      // The post changed, because someone reacted to it or a moderator showed it again.
      const counts = Object.entries(post.reactions).map(([reaction, count]) => `${reaction} ${count}`)
      return `${toToken(event.data)} Update to ${writer}’s post: ${[text, ...counts].join(' · ')}`
    }
    case 'order': {
      const { kind, state, fills, isTriggered, leastPrice } = event.data.order
      const rest = fills > 0 ? 'Order partly filled' : 'Order is open'
      if (state === 'waiting' && isTriggered && leastPrice !== null && event.data.fill === null)
        return `${toToken(event.data)} Your ${kind} order: ${describeTrigger(leastPrice)}`
      const what = { waiting: rest, filled: 'Order filled', cancelled: 'Order cancelled', expired: 'Order expired' }[
        state
      ]
      return `${toToken(event.data)} ${what} (${kind})`
    }
    default:
      return `🔔 ${escapeDiscord(event.data.title)}: ${escapeDiscord(event.data.body)}`
  }
}

function tellMoment({ moment, note, podium }: FairEvent): string {
  if (moment === 'start') return 'Trading has started.'
  if (moment === 'end') return 'The bell has rung. Trading is over.'
  if (moment === 'void') return `This fair is void. ${escapeDiscord(note ?? '')}`
  const places = podium.map(
    ({ place, username, score }) => `${place}. ${escapeDiscord(username)} ${formatSol(score, 2)} SOL`,
  )
  return `The results are in. ${places.join(', ')}`
}

function toToken({ emoji, symbol }: { readonly emoji: string; readonly symbol: string }): string {
  return `${emoji} ${escapeDiscord(symbol)}:`
}
