import { sql } from 'kysely'
import { Counter, Gauge } from 'prom-client'
import type { App } from '../../../../context.ts'
import { type PeriodicJob, startPeriodicJob } from '../../../../lib/periodic-job.ts'
import { recordAccountEvent } from '../../../../security/accounts/events.ts'
import {
  ForbiddenHostError,
  type OutboundAnswer,
  OutboundCaller,
  withNetworks,
} from '../../../../security/networks/outbound.ts'
import { readBatch } from './batch.ts'
import type { WebhookEvent } from './events.ts'
import { EVENTS_MAX, isAnythingDue, makeBatch, type TakenMessage, takeMessages } from './queue.ts'
import { resealSecrets } from './reseal.ts'
import { type Answer, dropMessage, handBack, settleFailed, settleTaken, stopHook } from './settle.ts'
import { isTaken, toCall, UnreadableSecretError } from './to-call.ts'

const LOOK_EVERY_MS = 500
/** The next message of a webhook may be sent then. */
const NEXT_LOOK_MS = 110
/** Max concurrent calls of a node. */
const CALLS_MAX = 200
/** Max concurrent retries among these, so that dead addresses leave room for first attempts. */
const RETRIES_MAX = 100
/** Max batches made in one pass. */
const BATCHES_A_LOOK = 200
const GONE = 410

type Parts = Pick<App, 'db' | 'log' | 'config' | 'outbound' | 'metrics' | 'secrets' | 'clock' | 'securityLog'>
type Result = 'delivered' | 'failed' | 'stopped' | 'dropped'

/** Delivers webhooks. Any number of nodes may do this on one database. */
export function startWebhookDelivery(parts: Parts): PeriodicJob {
  if (!parts.config.webhooks) return { stop: async () => {} }
  const delivery = new WebhookDelivery(parts)
  const job = startPeriodicJob(
    LOOK_EVERY_MS,
    () => delivery.deliverDue(),
    (error) => parts.log.warn({ err: error }, 'webhooks could not be processed; retrying'),
  )
  return {
    stop: async () => {
      await job.stop()
      await delivery.close()
    },
  }
}

export class WebhookDelivery {
  readonly #parts: Parts
  readonly #caller: OutboundCaller
  readonly #results: Counter<'result'>
  readonly #stopping = new AbortController()
  readonly #calls = new Set<Promise<void>>()
  #retries = 0
  #looking: Promise<void> | null = null

  constructor(parts: Parts) {
    this.#parts = parts
    this.#caller = new OutboundCaller(withNetworks(parts.outbound, parts.config.webhookNetworks))
    this.#results = countResults(parts)
  }

  /** Starts the calls for which it is time, as far as there is room. Does not wait for their answers. */
  async deliverDue(): Promise<void> {
    this.#looking ??= this.#look().finally(() => {
      this.#looking = null
    })
    await this.#looking
  }

  /** Ends calls under way; another node sends their messages. */
  async close(): Promise<void> {
    this.#stopping.abort()
    await this.#looking?.catch(() => undefined)
    await Promise.all(this.#calls)
    this.#caller.close()
  }

  async #look(): Promise<void> {
    const { db } = this.#parts
    if (this.#stopping.signal.aborted || !(await isAnythingDue(db))) return
    const room = Math.min(RETRIES_MAX - this.#retries, CALLS_MAX - this.#calls.size)
    if (room > 0) {
      for (const message of await takeMessages(db, room)) {
        this.#retries++
        this.#start(message, () => this.#retries--)
      }
    }
    for (let made = 0; made < BATCHES_A_LOOK && this.#calls.size < CALLS_MAX; made++) {
      if (this.#stopping.signal.aborted) return
      const message = await makeBatch(db)
      if (message === null) return
      if (message !== 'nothing') this.#start(message, () => {})
    }
  }

  #start(message: TakenMessage, ended: () => void): void {
    const call = this.#deliver(message)
      .catch((error: unknown) => {
        // It comes due again when its time as a taken message is over.
        this.#parts.log.warn({ err: error, webhookId: message.hook.id }, 'a webhook message could not be settled')
      })
      .finally(() => {
        this.#calls.delete(call)
        ended()
      })
    this.#calls.add(call)
  }

  async #deliver(message: TakenMessage): Promise<void> {
    const { db } = this.#parts
    const events = await this.#readEvents(message)
    if (message.detail.kind === 'events' && events.length === 0) {
      this.#results.inc({ result: 'dropped' })
      return await dropMessage(db, message)
    }
    const sent = await this.#send(message, events)
    if (sent === 'stopping') return await handBack(db, message)
    this.#results.inc({ result: await this.#settle(message, sent) })
    if (this.#stopping.signal.aborted) return
    setTimeout(() => {
      this.deliverDue().catch((error: unknown) =>
        this.#parts.log.warn({ err: error }, 'webhooks could not be processed; retrying'),
      )
    }, NEXT_LOOK_MS).unref()
  }

  async #readEvents({ hook, detail, events }: TakenMessage): Promise<readonly WebhookEvent[]> {
    if (events !== null || detail.kind !== 'events') return events ?? []
    const wanted = { userId: hook.user_id, events: hook.events, tokenIds: hook.token_ids }
    const since = new Date(detail.since ?? 0)
    return await readBatch(this.#parts.db, wanted, { bounds: detail.bounds, since }, EVENTS_MAX[hook.format])
  }

  async #send(
    message: TakenMessage,
    events: readonly WebhookEvent[],
  ): Promise<(Answer & { isTaken: boolean }) | 'stopping'> {
    try {
      const call = await toCall(this.#parts, message, events)
      const answer = await this.#caller.call(call, this.#stopping.signal)
      const taken = isTaken(message, call.url, answer)
      return { ...toAnswer(message, answer), isTaken: taken }
    } catch (error) {
      if (this.#stopping.signal.aborted) return 'stopping'
      if (error instanceof UnreadableSecretError) this.#parts.log.error({ webhookId: message.hook.id }, error.message)
      return { status: null, error: toErrorName(error), retryAfterMs: null, isTaken: false }
    }
  }

  async #settle(message: TakenMessage, answer: Answer & { isTaken: boolean }): Promise<Result> {
    const { db, log } = this.#parts
    const { status, error } = answer
    if (answer.isTaken) {
      await resealSecrets(this.#parts, message.hook)
      return (await settleTaken(db, message, status)) ? 'delivered' : 'failed'
    }
    const isKept = status !== GONE && (await settleFailed(db, message, answer))
    const facts = { webhookId: message.hook.id, host: message.hook.host, attempt: message.attempt, status, error }
    if (isKept) {
      log.info(facts, 'a webhook message was not taken')
      return 'failed'
    }
    await this.#stop(message, answer)
    log.warn(facts, 'a webhook was given up')
    return 'stopped'
  }

  async #stop(message: TakenMessage, answer: Answer): Promise<void> {
    const { hook } = message
    await this.#parts.db.transaction().execute(async (tx) => {
      if (!(await stopHook(tx, message, answer))) return
      const detail = { host: hook.host, status: answer.status }
      await recordAccountEvent(this.#parts, null, { userId: hook.user_id, kind: 'webhook_stopped', detail }, tx)
    })
  }
}

function toAnswer({ detail }: TakenMessage, { status, retryAfter }: OutboundAnswer): Answer {
  const isAnswered = status >= 200 && status < 300
  const error = detail.kind === 'challenge' && isAnswered ? ('challenge' as const) : null
  const seconds = /^\d{1,5}(\.\d{1,6})?$/.test(retryAfter ?? '') ? Number(retryAfter) : null
  return { status, error, retryAfterMs: seconds === null ? null : seconds * 1_000 }
}

function toErrorName(error: unknown): Answer['error'] {
  if (error instanceof ForbiddenHostError) return 'forbidden'
  return error instanceof Error && error.name === 'AbortError' ? 'timeout' : 'unreachable'
}

function countResults({ db, metrics }: Parts): Counter<'result'> {
  new Gauge({
    name: 'papermoon_webhook_messages',
    help: 'Messages to webhooks that wait to be taken, at most one of events for each webhook.',
    registers: [metrics],
    async collect() {
      this.set(await readFigure(db, sql`count(*)`))
    },
  })
  new Gauge({
    name: 'papermoon_webhook_backlog_seconds',
    help: 'Age of the oldest message to a webhook that waits to be taken.',
    registers: [metrics],
    async collect() {
      this.set(await readFigure(db, sql`coalesce(extract(epoch from clock_timestamp() - min(created_at)), 0)`))
    },
  })
  return new Counter({
    name: 'papermoon_webhook_deliveries_total',
    help: 'Tries to deliver to webhooks: delivered, failed (tried again), stopped (given up), dropped (nothing left to send).',
    labelNames: ['result'] as const,
    registers: [metrics],
  })
}

async function readFigure(db: Parts['db'], figure: ReturnType<typeof sql>): Promise<number> {
  try {
    const { rows } = await sql<{ figure: number }>`
      select (${figure})::float8 as figure from outbox where channel = 'webhook'`.execute(db)
    return rows[0]?.figure ?? 0
  } catch {
    return Number.NaN
  }
}
