import { join } from 'node:path'
import { Gauge } from 'prom-client'
import type { App } from './context.ts'
import { deleteOldRows } from './delete-old-rows.ts'
import { deleteDueAccounts } from './features/account/deletion/delete-due-accounts.ts'
import { logOperatorEvents } from './features/account/records/account-events.ts'
import { replayIfDue } from './features/audit/run-audit.ts'
import { createBackupKeeper } from './features/backup/backup-keeper.ts'
import { createFairKeeper } from './features/fairs/keep-fairs.ts'
import { closeOpenWindows } from './features/leaderboard/giveaway/close-window.ts'
import { watchTopThree } from './features/leaderboard/watch-top-three.ts'
import { storeTotals } from './features/moderation/health.ts'
import { refreshInForce } from './features/moderation/in-force.ts'
import { type Consumer, follow, releasePosition } from './features/notices/follow/follow.ts'
import { followMarket } from './features/notices/follow/follow-market.ts'
import { createPushDelivery } from './features/notices/push/deliver-push.ts'
import { createWebhookDelivery } from './features/notices/webhooks/delivery/deliver-webhooks.ts'
import { createHeadPublisher } from './features/proof/publish-heads.ts'
import { createStickerStep } from './features/stickers/give-stickers.ts'
import { keepTapes } from './features/tape/keep-tapes.ts'
import { remindPlayers } from './features/tape/remind-players.ts'
import { createCheckpointWriter } from './features/tokens/past/checkpoint-writer.ts'
import { forgetViewers } from './features/tokens/watch.ts'
import { endDueOrders } from './features/trading/waiting/end-orders.ts'
import { createObjectSweep } from './features/uploads/sweep-objects.ts'
import { type PeriodicJob, startPeriodicJob } from './lib/periodic-job.ts'

const SECOND_MS = 1_000
const HOUR_MS = 3_600_000
/** Deadline of jobs that run a child process. The child process has a time limit of its own. */
const NO_DEADLINE = Number.POSITIVE_INFINITY
const SCHEDULED_AUDIT = join(import.meta.dirname, 'commands/scheduled-audit.ts')
const KEEP_BACKUPS = join(import.meta.dirname, 'commands/keep-backups.ts')

type Run = (stopping: AbortSignal) => Promise<unknown>

interface Closable {
  readonly run: Run
  /** Called after the job's last run. */
  close(): Promise<unknown>
}

interface Job {
  readonly everyMs: number
  /** Max time for a run in ms, by default five minutes. */
  readonly deadlineMs?: number
  /** Creates the function that the job calls in each run. */
  create(app: App): Run | Closable
}

/**
 * The background jobs of a node. Each job's first run comes one period after the start, so that the first orders do not
 * wait for background work.
 */
export const BACKGROUND_JOBS = {
  // These jobs follow the journal. Only one node of a database runs them at a time.
  notices: {
    everyMs: 250,
    create: (app) => consume(app, { idleMs: 5 * SECOND_MS, restMaxMs: 2 * SECOND_MS, step: followMarket }),
  },
  stickers: { everyMs: 5 * SECOND_MS, create: (app) => consume(app, { idleMs: 0, step: createStickerStep() }) },
  // Run this job even without an event, because old trades drop out of the board's six hours.
  topThree: {
    everyMs: 30 * SECOND_MS,
    create: (app) => consume(app, { idleMs: 300 * SECOND_MS, step: watchTopThree }),
  },

  // These jobs run on every node. Locks ensure that each change happens once.
  fairs: { everyMs: 250, create: createFairKeeper },
  waitingOrders: {
    everyMs: SECOND_MS,
    create: (app) => {
      const markets = listMarkets(app)
      return inTurn(
        ...markets.map(
          ({ platform }): Run =>
            (stopping) =>
              endDueOrders(platform.db, stopping),
        ),
      )
    },
  },
  checkpoints: {
    everyMs: SECOND_MS,
    create: (app) => inTurn(...listMarkets(app).map(createCheckpointWriter)),
  },
  outbox: { everyMs: SECOND_MS / 2, create: createOutbox },
  // Reads changes that other nodes and commands made.
  changes: {
    everyMs: SECOND_MS,
    create: (app) =>
      inTurn(
        () => app.live.notices.poll(),
        () => refreshInForce(app),
        () => logOperatorEvents(app),
      ),
  },
  due: {
    everyMs: 30 * SECOND_MS,
    create: (app) =>
      inTurn(
        (stopping) => closeOpenWindows(app, stopping),
        createHeadPublisher(app),
        (stopping) => deleteDueAccounts(app, stopping),
        () => keepTapes(app),
        () => remindPlayers(app),
        () => forgetViewers(app),
      ),
  },
  hourly: {
    everyMs: HOUR_MS,
    create: (app) =>
      inTurn(
        () => deleteOldRows(app.platform.db, app.platform.clock.now()),
        createObjectSweep(app),
        () => storeTotals(app),
      ),
  },
  audit: {
    everyMs: HOUR_MS,
    deadlineMs: NO_DEADLINE,
    create: (app) => (stopping) => replayIfDue(app, { command: SCHEDULED_AUDIT }, stopping),
  },
  backups: {
    everyMs: 30 * SECOND_MS,
    deadlineMs: NO_DEADLINE,
    create: ({ platform }) => createBackupKeeper(platform, { command: KEEP_BACKUPS }),
  },
} satisfies Record<string, Job>

export type JobName = keyof typeof BACKGROUND_JOBS

/** Starts all background jobs of a node. */
export function startBackgroundJobs(app: App): readonly Pick<PeriodicJob, 'stop'>[] {
  const names = Object.keys(BACKGROUND_JOBS) as JobName[]
  const jobs = names.map((name) => ({ name, job: startBackgroundJob(app, name) }))
  const ages = new Gauge({
    name: 'papermoon_job_success_age_seconds',
    help: 'Time since a background job last ran without an error.',
    labelNames: ['job_name'] as const,
    registers: [app.platform.metrics],
    collect() {
      for (const { name, job } of jobs) ages.set({ job_name: name }, job.getSuccessAge())
    },
  })
  return jobs.map(({ job }) => job)
}

export function startBackgroundJob(app: App, name: JobName): PeriodicJob {
  const { everyMs, deadlineMs, create }: Job = BACKGROUND_JOBS[name]
  const { timers, log } = app.platform
  const made = create(app)
  const { run, close } = typeof made === 'function' ? { run: made, close: async () => {} } : made
  const failed = (error: unknown) => log.warn({ err: error, job: name }, 'a background job failed; it will run again')
  const job = startPeriodicJob({ timers, everyMs, failed, ...(deadlineMs !== undefined && { deadlineMs }) }, run)
  return {
    ...job,
    stop: async () => {
      await job.stop()
      await close()
    },
  }
}

/** Returns the fairground's app, and the app that all other fairs share. */
function listMarkets(app: App): readonly App[] {
  const { fairs } = app.market
  return fairs === undefined ? [app] : [app, fairs]
}

/** Returns a job that follows the journal. When the job stops, it releases its lease. */
function consume(app: App, consumer: Consumer): Closable {
  const { platform, live } = app
  return {
    run: follow(app, consumer),
    close: () => releasePosition(platform.db, live.notices.node).catch(() => undefined),
  }
}

function createOutbox(app: App): Closable {
  const { config } = app.platform
  const deliveries = [
    ...(config.push ? [createPushDelivery(app)] : []),
    ...(config.webhooks ? [createWebhookDelivery(app)] : []),
  ]
  return {
    run: () => Promise.all(deliveries.map((delivery) => delivery.deliverDue())),
    close: () => Promise.all(deliveries.map((delivery) => delivery.close())),
  }
}

/** Returns a job with several steps, which run one after another. If a step fails, the other steps still run. */
function inTurn(...steps: readonly Run[]): Run {
  return async (stopping) => {
    const errors: unknown[] = []
    for (const step of steps) {
      if (stopping.aborted) return
      await step(stopping).catch((error: unknown) => errors.push(error))
    }
    if (errors.length > 0) throw errors.length === 1 ? errors[0] : new AggregateError(errors)
  }
}
