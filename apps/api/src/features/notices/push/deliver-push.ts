import { toNoticeText } from '@papermoon/format/notice-text'
import PQueue from 'p-queue'
import { Counter, Gauge } from 'prom-client'
import type { App } from '../../../context.ts'
import { type PeriodicJob, startPeriodicJob } from '../../../lib/periodic-job.ts'
import { findUnreadNotice } from '../../../notices/read-notices.ts'
import { type OutboundAnswer, OutboundCaller } from '../../../security/networks/outbound.ts'
import {
  countWaitingMessages,
  forgetDevice,
  postponeMessage,
  settleMessage,
  type TakenMessage,
  takeMessages,
} from './store.ts'
import { loadVapidKeys, type VapidKeys } from './vapid.ts'

const LOOK_EVERY_MS = 1_000
const TAKEN_AT_ONCE = 50
const CALLS_AT_ONCE = 10
/** More than the calls of a whole round may take. */
const TAKEN_FOR_MS = 2 * 60_000
/** Pause after the first failure; it doubles with each, up to the longest. */
const FIRST_PAUSE_MS = 10_000
const LONGEST_PAUSE_MS = 2 * 3_600_000
const ERROR_CHARS_MAX = 300
/** How long a push service keeps a message for a device that is off. */
const TTL_S = 12 * 3_600

type Parts = Pick<App, 'db' | 'log' | 'config' | 'outbound' | 'metrics'>

/** Sends the outbox's push messages. Any number of nodes may do this on one database. */
export function startPushDelivery(parts: Parts): PeriodicJob {
  if (!parts.config.push) return { stop: async () => {} }
  const delivery = new PushDelivery(parts)
  const job = startPeriodicJob(
    LOOK_EVERY_MS,
    (stopping) => delivery.deliverDue(stopping),
    (error) => parts.log.warn({ err: error }, 'push messages could not be processed; retrying'),
  )
  return {
    stop: async () => {
      await job.stop()
      delivery.close()
    },
  }
}

/** Outcome of a delivery attempt. */
type Result = 'delivered' | 'gone' | 'dropped' | 'failed'

export class PushDelivery {
  readonly #parts: Parts
  readonly #caller: OutboundCaller
  readonly #results: Counter<'result'>
  #keys: VapidKeys | null = null

  constructor(parts: Parts) {
    this.#parts = parts
    this.#caller = new OutboundCaller(parts.outbound)
    this.#results = new Counter({
      name: 'papermoon_push_messages_total',
      help: 'Tries to send push messages: delivered, failed (tried again), gone (the device is), dropped (nobody needs it).',
      labelNames: ['result'] as const,
      registers: [parts.metrics],
    })
    new Gauge({
      name: 'papermoon_outbox_messages',
      help: 'Messages that wait to be delivered.',
      registers: [parts.metrics],
      async collect() {
        this.set(await countWaitingMessages(parts.db).catch(() => Number.NaN))
      },
    })
  }

  /** Sends everything that is due, a few at a time. */
  async deliverDue(stopping?: AbortSignal): Promise<void> {
    const { db } = this.#parts
    for (;;) {
      const taken = await takeMessages(db, { most: TAKEN_AT_ONCE, againMs: TAKEN_FOR_MS })
      if (taken.length === 0) return
      const calls = new PQueue({ concurrency: CALLS_AT_ONCE })
      await calls.addAll(taken.map((message) => () => this.#deliver(message, stopping)))
      if (stopping?.aborted) return
    }
  }

  close(): void {
    this.#caller.close()
  }

  async #deliver(message: TakenMessage, stopping: AbortSignal | undefined): Promise<void> {
    this.#results.inc({ result: await this.#settle(message, stopping) })
  }

  async #settle(message: TakenMessage, stopping: AbortSignal | undefined): Promise<Result> {
    const { db, log } = this.#parts
    let answer: OutboundAnswer | null
    try {
      answer = await this.#send(message, stopping)
    } catch (error) {
      return await this.#postpone(message, { error: String(error), retryAfter: null })
    }
    if (answer === null) {
      await settleMessage(db, message.id)
      return 'dropped'
    }
    const { status } = answer
    if (status >= 200 && status < 300) {
      await settleMessage(db, message.id)
      return 'delivered'
    }
    if (status === 404 || status === 410) {
      await forgetDevice(db, message.deviceId)
      log.info({ deviceId: message.deviceId }, 'a push service no longer knows a device')
      return 'gone'
    }
    return await this.#postpone(message, { error: `${status} ${answer.text}`, retryAfter: answer.retryAfter })
  }

  /** Null where there is nothing to send any more: the notice was read or deleted, or the device is gone. */
  async #send(message: TakenMessage, stopping: AbortSignal | undefined): Promise<OutboundAnswer | null> {
    const { endpoint, p256dh, auth, noticeId } = message
    if (endpoint === null || p256dh === null || auth === null) return null
    const found = await findUnreadNotice(this.#parts.db, noticeId)
    if (found === null) return null
    const { notice } = found
    const payload = JSON.stringify({ id: notice.id, ...toNoticeText(notice) })
    const { method, headers, body } = await this.#encrypt({ endpoint, keys: { p256dh, auth } }, payload)
    return await this.#caller.call({ url: endpoint, method, headers, body }, stopping)
  }

  async #encrypt(device: { endpoint: string; keys: { p256dh: string; auth: string } }, payload: string) {
    // Loaded with the first message: most servers never send one.
    const { default: webPush } = await import('web-push')
    this.#keys ??= await loadVapidKeys(this.#parts)
    const { headers, body } = webPush.generateRequestDetails(device, payload, {
      vapidDetails: { subject: getSubject(this.#parts), ...this.#keys },
      TTL: TTL_S,
      contentEncoding: 'aes128gcm',
    })
    return { method: 'POST' as const, headers: headers as Record<string, string | number>, body: body as Buffer }
  }

  async #postpone(
    { id, deviceId, attempt }: TakenMessage,
    { error, retryAfter }: { error: string; retryAfter: string | null },
  ): Promise<Result> {
    const asked = /^\d{1,5}$/.test(retryAfter ?? '') ? Number(retryAfter) * 1_000 : 0
    const pause = Math.min(FIRST_PAUSE_MS * 2 ** (attempt - 1), LONGEST_PAUSE_MS)
    const afterMs = Math.min(Math.max(pause, asked), LONGEST_PAUSE_MS)
    const told = error.slice(0, ERROR_CHARS_MAX)
    await postponeMessage(this.#parts.db, id, { afterMs, error: told })
    this.#parts.log.warn({ deviceId, attempt, error: told }, 'a push message could not be sent yet')
    return 'failed'
  }
}

/** Where a push service finds whoever runs this server. */
function getSubject({ config: { publicUrl, securityContact } }: Parts): string {
  if (publicUrl?.startsWith('https://')) return publicUrl
  return securityContact ?? 'mailto:nobody@papermoon.invalid'
}
