import { createECDH, hash } from 'node:crypto'
import type { PushState, SubscribeInput } from '@papermoon/contract/push'
import { NotSignedInError, type UserId } from '@papermoon/engine'
import { toNoticeText } from '@papermoon/format/notice-text'
import { sql } from 'kysely'
import { Counter } from 'prom-client'
import type { App, AppPart, Context } from '../../../context.ts'
import { BadInputError, defineError } from '../../../errors.ts'
import { mayCall, type OutboundAnswer, OutboundCaller } from '../../../security/outbound.ts'
import { loadServerKey } from '../../../security/secret-box.ts'
import { hashSecret } from '../../account/public.ts'
import {
  computePause,
  Delivery,
  handBackMessage,
  type OutboxChannel,
  parseRetryAfter,
  postponeMessage,
  registerFigure,
  removeMessage,
} from '../outbox.ts'
import { findUnreadNotice } from '../read-notices.ts'
import { endDevice, findEndpoints, type TakenMessage, takeMessages, upsertDevice } from './store.ts'

/** Max number of concurrent calls per node. */
const CALLS_MAX = 100

/** Max number of retries among these calls. With this limit, unreachable devices leave capacity for first attempts. */
const RETRIES_MAX = 50

/** Max number of concurrent calls for one account. */
const ACCOUNT_CALLS_MAX = 3

/**
 * How long a worker may take to deliver a message, in ms. After this time, the message is due again. No call takes this
 * long.
 */
const TAKEN_FOR_MS = 2 * 60_000

/**
 * Number of rejections after which a device is removed. These rejections take about ten minutes, because the service or
 * this server's clock may be wrong for a while.
 */
const REFUSALS_MAX = 8

/** HTTP statuses of rejections that are not the device's fault: too slow, too large, or too many requests. */
const PASSING: ReadonlySet<number> = new Set([408, 413, 429])

/** How long a push service stores a message for a device that is off, in seconds. */
const TTL_S = 12 * 3_600

/** Keys by which push services recognize this server, in base64url. */
interface VapidKeys {
  readonly publicKey: string
  readonly privateKey: string
}

type Parts = AppPart<'db' | 'timers' | 'log' | 'config' | 'outbound' | 'metrics'>

/** The result of an attempt to deliver a message. */
type Result = 'delivered' | 'gone' | 'dropped' | 'failed'

/** Creates the delivery of the outbox's push messages. */
export function createPushDelivery(parts: Parts): Delivery<TakenMessage> {
  return new Delivery(new PushMessages(parts), parts.platform)
}

class PushMessages implements OutboxChannel<TakenMessage> {
  readonly name = 'push messages'
  readonly #parts: Parts
  readonly #caller: OutboundCaller
  readonly #results: Counter<'result'>
  #keys: VapidKeys | null = null

  constructor(parts: Parts) {
    this.#parts = parts
    this.#caller = new OutboundCaller(parts.platform.outbound)
    this.#results = new Counter({
      name: 'papermoon_push_messages_total',
      help: 'Attempts to send push messages, by result: delivered, failed (retried), gone (device unregistered), dropped (not needed).',
      labelNames: ['result'] as const,
      registers: [parts.platform.metrics],
    })
    const help = 'Messages waiting for delivery.'
    registerFigure(parts, { name: 'papermoon_outbox_messages', help, figure: sql`count(*)` })
  }

  async *take(underWay: readonly TakenMessage[]): AsyncGenerator<TakenMessage> {
    yield* await takeMessages(this.#parts.platform.db, {
      most: CALLS_MAX - underWay.length,
      mostRetries: RETRIES_MAX - underWay.filter(({ attempt }) => attempt > 1).length,
      mostOfAccount: ACCOUNT_CALLS_MAX,
      underWay: underWay.map(({ userId }) => userId),
      againMs: TAKEN_FOR_MS,
    })
  }

  async deliver(message: TakenMessage, stopping: AbortSignal): Promise<void> {
    let answer: OutboundAnswer | Error | null
    try {
      answer = await this.#send(message, stopping)
    } catch (error) {
      if (stopping.aborted) return await handBackMessage(this.#parts.platform.db, message.id)
      answer = error instanceof Error ? error : new Error(String(error))
    }
    this.#results.inc({ result: await this.#settle(message, answer) })
  }

  close(): void {
    this.#caller.close()
  }

  async #settle(message: TakenMessage, answer: OutboundAnswer | Error | null): Promise<Result> {
    const { db, log } = this.#parts.platform
    const { id, deviceId, attempt } = message
    const status = answer !== null && 'status' in answer ? answer.status : null
    if (answer === null || (status !== null && status >= 200 && status < 300)) {
      await removeMessage(db, id)
      return answer === null ? 'dropped' : 'delivered'
    }
    if (isLasting(status, attempt)) {
      await endDevice(db, deviceId, { isGone: isGone(status) })
      log.info({ deviceId, status }, 'a push service no longer accepts messages for a device')
      return 'gone'
    }
    const error = 'status' in answer ? `${status} ${answer.text}` : String(answer)
    const askedMs = 'status' in answer ? parseRetryAfter(answer.retryAfter) : null
    // Never wait less than usual. Players choose the service, and a service that always requests one second could keep
    // this server busy.
    const retryAfterMs = askedMs === null ? null : Math.max(askedMs, computePause(attempt, null))
    await postponeMessage(db, { id, attempt, error, retryAfterMs })
    log.warn({ deviceId, attempt, error }, 'a push message could not be sent; retrying')
    return 'failed'
  }

  /**
   * Sends a message. Returns null if the message is no longer needed, because the notice was read or deleted, or the
   * device was removed.
   */
  async #send(message: TakenMessage, stopping: AbortSignal): Promise<OutboundAnswer | null> {
    const { endpoint, p256dh, auth, noticeId } = message
    if (endpoint === null || p256dh === null || auth === null) return null
    const found = await findUnreadNotice(this.#parts.platform.db, noticeId)
    if (found === null) return null
    const payload = JSON.stringify({ id: found.id, ...toNoticeText(found) })
    const { method, headers, body } = await this.#encrypt({ endpoint, keys: { p256dh, auth } }, payload)
    return await this.#caller.call({ url: endpoint, method, headers, body }, stopping)
  }

  async #encrypt(device: { endpoint: string; keys: { p256dh: string; auth: string } }, payload: string) {
    // Load the library for the first message, because most servers never send one.
    const { default: webPush } = await import('web-push')
    this.#keys ??= await loadVapidKeys(this.#parts)
    const { headers, body } = webPush.generateRequestDetails(device, payload, {
      vapidDetails: { subject: getSubject(this.#parts), ...this.#keys },
      TTL: TTL_S,
      contentEncoding: 'aes128gcm',
    })
    return { method: 'POST' as const, headers: headers as Record<string, string | number>, body: body as Buffer }
  }
}

/** Returns whether a push service responded that a device no longer exists. */
function isGone(status: number | null): boolean {
  return status === 404 || status === 410
}

/** Returns whether a push service will never accept a message for a device, even after more attempts. */
function isLasting(status: number | null, attempt: number): boolean {
  if (isGone(status)) return true
  const isRefusal = status !== null && status >= 400 && status < 500 && !PASSING.has(status)
  return isRefusal && attempt >= REFUSALS_MAX
}

/** Returns the contact through which a push service can reach the operator. */
function getSubject({
  platform: {
    config: { publicUrl, securityContact },
  },
}: Parts): string {
  if (publicUrl?.startsWith('https://')) return publicUrl
  return securityContact ?? 'mailto:nobody@papermoon.invalid'
}

/** Loads or creates the keys for push messages. All nodes on a database share these keys. */
async function loadVapidKeys({ platform: { db } }: AppPart<'db'>): Promise<VapidKeys> {
  return toVapidKeys(await loadServerKey(db, 'push messages'))
}

/**
 * Converts a secret to a key pair. Nearly all 32-byte numbers are private keys of P-256. If a number is too large for a
 * private key (one in four billion), its hash is used.
 */
function toVapidKeys(secret: Buffer): VapidKeys {
  const pair = createECDH('prime256v1')
  try {
    pair.setPrivateKey(secret)
  } catch {
    return toVapidKeys(hash('sha256', secret, 'buffer'))
  }
  return { publicKey: pair.getPublicKey('base64url'), privateKey: secret.toString('base64url') }
}

class PushUnavailableError extends defineError('PUSH_UNAVAILABLE', 'This server does not send push notifications.') {}

export async function getPushState(app: App, userId: UserId): Promise<PushState> {
  if (!app.platform.config.push) return { publicKey: null, endpoints: [] }
  const { publicKey } = await loadVapidKeys(app)
  return { publicKey, endpoints: await findEndpoints(app.platform.db, userId) }
}

/**
 * Sends a player's notices to a browser until its session ends. Throws `BadInputError` if this server does not call the
 * URL, or if the push service no longer accepts messages for it. Also throws `PushUnavailableError` and
 * `NotSignedInError`.
 */
export async function subscribeDevice(
  { app, cookies: { session } }: Context,
  userId: UserId,
  input: SubscribeInput,
): Promise<void> {
  if (!app.platform.config.push) throw new PushUnavailableError()
  if (!mayCall(input.endpoint, app.platform.outbound)) throw new BadInputError('endpoint must be a public https URL.')
  if (session.token === null) throw new NotSignedInError()
  const isAlive = await upsertDevice(app.platform.db, {
    ...input,
    userId,
    sessionHash: hashSecret(session.token),
    now: app.platform.clock.now(),
  })
  if (isAlive === null) throw new NotSignedInError()
  if (!isAlive) throw new BadInputError('endpoint no longer works. Unsubscribe this browser, then subscribe it again.')
}
