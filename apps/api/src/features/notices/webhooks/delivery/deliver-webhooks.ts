import { sql } from 'kysely'
import { Counter } from 'prom-client'
import type { AppPart } from '../../../../context.ts'
import { ForbiddenHostError, type OutboundAnswer, OutboundCaller, withNetworks } from '../../../../security/outbound.ts'
import { recordAccountEvent } from '../../../account/public.ts'
import {
  Delivery,
  handBackMessage,
  type OutboxChannel,
  parseRetryAfter,
  registerFigure,
  removeMessage,
} from '../../outbox.ts'
import type { WebhookRow } from '../store.ts'
import { toSecretPurpose, toUrlPurpose } from '../to-webhook.ts'
import { readBatch } from './batch.ts'
import {
  EVENTS_MAX,
  findWanted,
  getMarketDb,
  isAnythingDue,
  makeBatch,
  type TakenMessage,
  takeMessages,
} from './queue.ts'
import type { WebhookEvent } from './read-events.ts'
import { type Answer, freeHook, settleFailed, settleTaken, stopHook } from './settle.ts'
import { isTaken, toCall, UnreadableSecretError } from './to-call.ts'

/** Max number of concurrent calls per node. */
const CALLS_MAX = 200
/**
 * Max number of retries among the concurrent calls. With this limit, unreachable URLs leave capacity for first
 * attempts.
 */
const RETRIES_MAX = 100
/** Max number of batches that one pass creates. */
const BATCHES_A_LOOK = 200
const GONE = 410

type Parts = AppPart<
  'fairs' | 'db' | 'timers' | 'log' | 'config' | 'outbound' | 'metrics' | 'secrets' | 'clock' | 'securityLog'
>
type Result = 'delivered' | 'failed' | 'stopped' | 'dropped'

/** Creates the messages to webhooks and delivers them from the outbox. */
export function createWebhookDelivery(parts: Parts): Delivery<TakenMessage> {
  return new Delivery(new WebhookMessages(parts), parts.platform)
}

class WebhookMessages implements OutboxChannel<TakenMessage> {
  readonly name = 'webhooks'
  readonly #parts: Parts
  readonly #caller: OutboundCaller
  readonly #results: Counter<'result'>

  constructor(parts: Parts) {
    this.#parts = parts
    this.#caller = new OutboundCaller(withNetworks(parts.platform.outbound, parts.platform.config.webhookNetworks))
    this.#results = countResults(parts)
  }

  async *take(underWay: readonly TakenMessage[], stopping: AbortSignal): AsyncGenerator<TakenMessage> {
    const { db } = this.#parts.platform
    if (!(await isAnythingDue(db))) return
    let room = CALLS_MAX - underWay.length
    // A new message already contains its events, but a retry must read them again.
    const retries = underWay.filter(({ events }) => events === null).length
    const taken = await takeMessages(db, Math.max(0, Math.min(RETRIES_MAX - retries, room)))
    yield* taken
    room -= taken.length
    for (let made = 0; made < BATCHES_A_LOOK && room > 0 && !stopping.aborted; made++) {
      const message = await makeBatch(this.#parts)
      if (message === null) return
      if (message === 'nothing') continue
      yield message
      room--
    }
  }

  async deliver(message: TakenMessage, stopping: AbortSignal): Promise<void> {
    const { db } = this.#parts.platform
    const events = await this.#readEvents(message)
    if (message.detail.kind === 'events' && events.length === 0) {
      this.#results.inc({ result: 'dropped' })
      // No events are left to send, because their tokens were hidden or the player left the room.
      await removeMessage(db, message.id)
      return await freeHook(db, message)
    }
    const answer = await this.#send(message, events, stopping)
    if (answer === null) {
      await handBackMessage(db, message.id)
      return await freeHook(db, message)
    }
    this.#results.inc({ result: await this.#settle(message, answer) })
  }

  close(): void {
    this.#caller.close()
  }

  async #readEvents({ hook, detail, events }: TakenMessage): Promise<readonly WebhookEvent[]> {
    if (events !== null || detail.kind !== 'events') return events ?? []
    const wanted = await findWanted(this.#parts.platform.db, hook)
    const since = new Date(detail.since ?? 0)
    return await readBatch(
      getMarketDb(this.#parts, hook),
      wanted,
      { bounds: detail.bounds, since },
      EVENTS_MAX[hook.format],
    )
  }

  /** Returns the receiver's response; null if this node stops before it gets one. */
  async #send(
    message: TakenMessage,
    events: readonly WebhookEvent[],
    stopping: AbortSignal,
  ): Promise<(Answer & { isTaken: boolean }) | null> {
    try {
      const call = await toCall(this.#parts, message, events)
      const answer = await this.#caller.call(call, stopping)
      const taken = isTaken(message, call.url, answer)
      return { ...toAnswer(message, answer), isTaken: taken }
    } catch (error) {
      if (stopping.aborted) return null
      if (error instanceof UnreadableSecretError)
        this.#parts.platform.log.error({ webhookId: message.hook.id }, error.message)
      return { status: null, error: toErrorName(error), retryAfterMs: null, isTaken: false }
    }
  }

  async #settle(message: TakenMessage, answer: Answer & { isTaken: boolean }): Promise<Result> {
    const { db, log } = this.#parts.platform
    const { status, error } = answer
    if (answer.isTaken) {
      await resealSecrets(this.#parts, message.hook)
      return (await settleTaken(db, message, status)) ? 'delivered' : 'failed'
    }
    const isKept = status !== GONE && (await settleFailed(db, message, answer))
    const facts = { webhookId: message.hook.id, host: message.hook.host, attempt: message.attempt, status, error }
    if (isKept) {
      log.info(facts, 'a webhook message could not be delivered; retrying')
      return 'failed'
    }
    await this.#stop(message, answer)
    log.warn(facts, 'a webhook was stopped after failed deliveries')
    return 'stopped'
  }

  async #stop(message: TakenMessage, answer: Answer): Promise<void> {
    const { hook } = message
    await this.#parts.platform.db.transaction().execute(async (tx) => {
      if (!(await stopHook(tx, message, answer))) return
      const detail = { host: hook.host, status: answer.status }
      await recordAccountEvent(this.#parts, null, { userId: hook.user_id, kind: 'webhook_stopped', detail }, tx)
    })
  }
}

function toAnswer({ detail }: TakenMessage, { status, retryAfter }: OutboundAnswer): Answer {
  const isAnswered = status >= 200 && status < 300
  const error = detail.kind === 'challenge' && isAnswered ? ('challenge' as const) : null
  return { status, error, retryAfterMs: parseRetryAfter(retryAfter) }
}

function toErrorName(error: unknown): Answer['error'] {
  if (error instanceof ForbiddenHostError) return 'forbidden'
  return error instanceof Error && error.name === 'AbortError' ? 'timeout' : 'unreachable'
}

function countResults(parts: Parts): Counter<'result'> {
  const messages = 'Messages waiting for delivery to webhooks.'
  const age = sql`extract(epoch from clock_timestamp() - min(created_at) filter (where channel = 'webhook'))`
  registerFigure(parts, {
    name: 'papermoon_webhook_messages',
    help: messages,
    figure: sql`count(*) filter (where channel = 'webhook')`,
  })
  registerFigure(parts, {
    name: 'papermoon_webhook_backlog_seconds',
    help: 'Age of the oldest message waiting for delivery to a webhook, in seconds.',
    figure: sql`coalesce(${age}, 0)`,
  })
  return new Counter({
    name: 'papermoon_webhook_deliveries_total',
    help: 'Delivery attempts to webhooks, by result: delivered, failed (retried), stopped (given up), dropped (too old).',
    labelNames: ['result'] as const,
    registers: [parts.platform.metrics],
  })
}

/** Encrypts the webhook's secret and URL with the current key. */
async function resealSecrets(
  { platform: { db }, accounts: { secrets } }: AppPart<'db' | 'secrets'>,
  hook: WebhookRow,
): Promise<void> {
  const { id, user_id: userId, secret_sealed: sealed, url_sealed: sealedUrl } = hook
  if (!(await secrets.isOutdated(sealed)) && !(await secrets.isOutdated(sealedUrl))) return
  const secret = await secrets.open(sealed, toSecretPurpose(userId))
  const url = await secrets.open(sealedUrl, toUrlPurpose(userId))
  if (secret === null || url === null) return
  const secret_sealed = await secrets.seal(secret, toSecretPurpose(userId))
  const url_sealed = await secrets.seal(url, toUrlPurpose(userId))
  // If another call replaced the secret meanwhile, the new secret already uses the current key.
  await db
    .updateTable('webhooks')
    .set({ secret_sealed, url_sealed })
    .where('id', '=', id)
    .where('secret_sealed', '=', sealed)
    .execute()
}
