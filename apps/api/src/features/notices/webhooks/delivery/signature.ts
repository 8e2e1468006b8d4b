import { createHmac } from 'node:crypto'

/** The signed text of Standard Webhooks: see https://www.standardwebhooks.com. */
export interface SignedMessage {
  readonly id: string
  /** Unix seconds of this try. */
  readonly timestamp: number
  readonly body: string
}

/** The headers of a message; each secret adds a signature. */
export function signMessage(
  { id, timestamp, body }: SignedMessage,
  secrets: readonly Buffer[],
): Readonly<Record<string, string>> {
  const signatures = secrets.map(
    (secret) => `v1,${createHmac('sha256', secret).update(`${id}.${timestamp}.${body}`).digest('base64')}`,
  )
  return { 'webhook-id': id, 'webhook-timestamp': String(timestamp), 'webhook-signature': signatures.join(' ') }
}
