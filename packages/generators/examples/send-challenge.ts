import { createHmac, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

/** The secret that receivers know, and a wrong secret. */
export const SECRET = makeSecret()
export const FOREIGN_SECRET = makeSecret()
export const CHALLENGE = JSON.stringify({ type: 'challenge', data: { challenge: 'moon' } })

const ANSWER_MAX_MS = 30_000

interface Forgery {
  readonly secret?: string
  /** The text to sign (default: the challenge). */
  readonly signed?: string
  /** The text to send instead of the signed text. */
  readonly body?: string
  readonly sentAt?: number
}

/**
 * Sends a challenge to a receiver. The challenge is signed as Papermoon signs it, unless `forgery` changes something.
 * Returns the response's status and text.
 */
export async function sendChallenge(url: string, forgery: Forgery = {}): Promise<readonly [number, string]> {
  const { secret = SECRET, signed = CHALLENGE, body = signed, sentAt = Date.now() } = forgery
  const id = 'msg_1'
  const timestamp = String(Math.floor(sentAt / 1_000))
  const key = Buffer.from(secret.replace('whsec_', ''), 'base64')
  const signature = createHmac('sha256', key).update(`${id}.${timestamp}.${signed}`).digest('base64')
  const headers = { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': `v1,${signature}` }
  const response = await post(url, { method: 'POST', headers, body })
  return [response.status, await response.text()]
}

/** Retry, because a program may say that it is listening shortly before it listens. */
async function post(url: string, request: RequestInit): Promise<Response> {
  const giveUpAt = Date.now() + ANSWER_MAX_MS
  for (;;) {
    try {
      return await fetch(url, { ...request, signal: AbortSignal.timeout(ANSWER_MAX_MS) })
    } catch (error) {
      if (Date.now() > giveUpAt) throw error
      await sleep(50)
    }
  }
}

export async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

function makeSecret(): string {
  return `whsec_${randomBytes(24).toString('base64')}`
}
