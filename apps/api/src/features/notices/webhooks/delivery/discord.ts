import { formatSol, priceLabel } from '@papermoon/format'
import type { WebhookEvent } from './events.ts'

/** Discord allows 4,096: room for the 25 longest lines, and one of what is left out. */
const DESCRIPTION_CHARS_MAX = 4_000
const LINE_CHARS_MAX = 150
const MOON = 0xffcf5c

interface DiscordMessage {
  readonly username: string
  readonly content: string
  readonly embeds: readonly { readonly description: string; readonly color: number; readonly timestamp?: string }[]
  readonly allowed_mentions: { readonly parse: readonly [] }
}

/** Events as a message that Discord shows. No name can mention anybody, format anything, or become a link. */
export function toDiscordMessage(events: readonly WebhookEvent[], missed: number): DiscordMessage {
  const lines = events.map(toLine)
  if (missed > 0) lines.unshift(`${missed} older events are left out.`)
  const description = joinLines(lines)
  const timestamp = events.at(-1)?.timestamp
  return toMessage(countEvents(events), [{ description, color: MOON, ...(timestamp !== undefined && { timestamp }) }])
}

/** A message that is sent again may have got more lines than fit: then the last one says how many. */
function joinLines(lines: readonly string[]): string {
  const text = lines.join('\n')
  if (text.length <= DESCRIPTION_CHARS_MAX) return text
  const shown = lines.slice(0, Math.floor(DESCRIPTION_CHARS_MAX / (LINE_CHARS_MAX + 1)) - 1)
  return [...shown, `${lines.length - shown.length} more events do not fit here.`].join('\n')
}

export function toDiscordPing(): DiscordMessage {
  return toMessage('This webhook works. Papermoon sends here what you chose.', [])
}

function toMessage(content: string, embeds: DiscordMessage['embeds']): DiscordMessage {
  return { username: 'Papermoon', content, embeds, allowed_mentions: { parse: [] } }
}

function countEvents(events: readonly WebhookEvent[]): string {
  return events.length === 1 ? 'Something happened on Papermoon' : `${events.length} things happened on Papermoon`
}

/** Puts a backslash before whatever Discord could read as formatting, a mention, a link or an emoji of a server. */
export function escapeDiscord(text: string): string {
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
      return `${toToken(event.data)} ${who} ${verb} for ${formatSol(solAmount, 2)} SOL, price ${priceLabel(spotPrice)} SOL`
    }
    case 'launch':
      return `${toToken(event.data)} ${escapeDiscord(event.data.creator.username)} launched ${escapeDiscord(event.data.name)}`
    case 'rug':
      return `${toToken(event.data)} ${escapeDiscord(event.data.username)} rugged it and took ${formatSol(event.data.amount, 2)} SOL`
    default:
      return `🔔 ${escapeDiscord(event.data.title)}: ${escapeDiscord(event.data.body)}`
  }
}

function toToken({ emoji, symbol }: { readonly emoji: string; readonly symbol: string }): string {
  return `${emoji} ${escapeDiscord(symbol)}:`
}
