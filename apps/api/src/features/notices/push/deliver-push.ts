import { toNoticeText } from '@papermoon/format/notice-text'
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
/** There may be room for more messages then. */
const NEXT_LOOK_MS = 100
/** Max concurrent calls of a node. */
const CALLS_MAX = 100
/** Max concurrent retries among these, so that silent devices leave room for first attempts. */
const RETRIES_MAX = 50
/** Max concurrent calls for one account. */
const ACCOUNT_CALLS_MAX = 3
/** More than a call may take. */
const TAKEN_FOR_MS = 2 * 60_000
/** Pause after the first failure; it doubles with each, up to the longest. */
const FIRST_PAUSE_MS = 10_000
const LONGEST_PAUSE_MS = 2 * 3_600_000
const ERROR_CHARS_MAX = 300
const UNPROCESSED = 'push messages could not be processed; retrying'
/** How long a push service keeps a message for a device that is off. */
const TTL_S = 12 * 3_600

type Parts = Pick<App, 'db' | 'log' | 'config' | 'outbound' | 'metrics'>

/** Sends the outbox's push messages. Any number of nodes may do this on one database. */
export function startPushDelivery(parts: Parts): PeriodicJob {
  if (!parts.config.push) return { stop: async () => {} }
  const delivery = new PushDelivery(parts)
  const job = startPeriodicJob(
    LOOK_EVERY_MS,
    () => delivery.deliverDue(),
    (error) => parts.log.warn({ err: error }, UNPROCESSED),
  )
  return {
    stop: async () => {
      await job.stop()
      await delivery.close()
    },
  }
}

/** Outcome of a delivery attempt. */
type Result = 'delivered' | 'gone' | 'dropped' | 'failed'

export class PushDelivery {
  readonly #parts: Parts
  readonly #caller: OutboundCaller
  readonly #results: Counter<'result'>
  readonly #stopping = new AbortController()
  /** Calls under way. */
  readonly #calls = new Map<Promise<void>, TakenMessage>()
  #looking: Promise<void> | null = null
  #nextLook: NodeJS.Timeout | undefined
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

  /** Starts the calls for which it is time, as far as there is room. Does not wait for their answers. */
  async deliverDue(): Promise<void> {
    this.#looking ??= this.#look().finally(() => {
      this.#looking = null
    })
    await this.#looking
  }

  /** Ends calls under way; their messages come due again. */
  async close(): Promise<void> {
    this.#stopping.abort()
    clearTimeout(this.#nextLook)
    await this.#looking?.catch(() => undefined)
    await Promise.all(this.#calls.keys())
    this.#caller.close()
  }

  async #look(): Promise<void> {
    if (this.#stopping.signal.aborted) return
    const underWay = [...this.#calls.values()]
    const retries = underWay.filter(({ attempt }) => attempt > 1).length
    const taken = await takeMessages(this.#parts.db, {
      most: CALLS_MAX - underWay.length,
      mostRetries: RETRIES_MAX - retries,
      mostOfAccount: ACCOUNT_CALLS_MAX,
      underWay: underWay.map(({ userId }) => userId),
      againMs: TAKEN_FOR_MS,
    })
    for (const message of taken) this.#start(message)
  }

  #start(message: TakenMessage): void {
    const call = this.#settle(message)
      .then((result) => this.#results.inc({ result }))
      .catch((error: unknown) => {
        // It comes due again when its time as a taken message is over.
        this.#warn(error, 'a push message could not be settled')
      })
      .finally(() => {
        this.#calls.delete(call)
        if (this.#stopping.signal.aborted) return
        this.#nextLook ??= setTimeout(() => {
          this.#nextLook = undefined
          this.deliverDue().catch((error: unknown) => this.#warn(error, UNPROCESSED))
        }, NEXT_LOOK_MS).unref()
      })
    this.#calls.set(call, message)
  }

  #warn(error: unknown, text: string): void {
    this.#parts.log.warn({ err: error }, text)
  }

  async #settle(message: TakenMessage): Promise<Result> {
    const { db, log } = this.#parts
    let answer: OutboundAnswer | null
    try {
      answer = await this.#send(message)
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
  async #send(message: TakenMessage): Promise<OutboundAnswer | null> {
    const { endpoint, p256dh, auth, noticeId } = message
    if (endpoint === null || p256dh === null || auth === null) return null
    const found = await findUnreadNotice(this.#parts.db, noticeId)
    if (found === null) return null
    const { notice } = found
    const payload = JSON.stringify({ id: notice.id, ...toNoticeText(notice) })
    const { method, headers, body } = await this.#encrypt({ endpoint, keys: { p256dh, auth } }, payload)
    return await this.#caller.call({ url: endpoint, method, headers, body }, this.#stopping.signal)
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
