import { join } from 'node:path'
import { Gauge } from 'prom-client'
import type { App } from './context.ts'
import { startAccountDeletion } from './features/account/deletion/delete-due-accounts.ts'
import { startOperatorEventLog } from './features/account/records/operator-events.ts'
import { startAuditSchedule } from './features/audit/audit-schedule.ts'
import { startBackupSchedule } from './features/backup/backup-schedule.ts'
import { startKeepingFairs } from './features/fairs/keep-fairs.ts'
import { startWindowCloser } from './features/leaderboard/giveaway/window-closer.ts'
import { startTopThreeWatch } from './features/leaderboard/top-three-watch.ts'
import { startFollowingOperators } from './features/moderation/in-force.ts'
import { startFollowingMarket } from './features/notices/follow/follow-market.ts'
import { createPushDelivery } from './features/notices/push/deliver-push.ts'
import { createWebhookDelivery } from './features/notices/webhooks/delivery/deliver-webhooks.ts'
import { startHeadPublisher } from './features/proof/head-publisher.ts'
import { startGivingStickers } from './features/stickers/give-stickers.ts'
import { startCheckpointJob } from './features/tokens/past/checkpoint-job.ts'
import { startSweepingWatchers } from './features/tokens/watch.ts'
import { startEndingOrders } from './features/trading/waiting/end-orders.ts'
import type { PeriodicJob } from './lib/periodic-job.ts'

const SCHEDULED_AUDIT = join(import.meta.dirname, 'commands/scheduled-audit.ts')
const KEEP_BACKUPS = join(import.meta.dirname, 'commands/keep-backups.ts')

/** Functions that each start one of a node's background jobs. */
export const PERIODIC_JOBS = {
  giveaways: startWindowCloser,
  heads: startHeadPublisher,
  operatorEvents: startOperatorEventLog,
  deletion: startAccountDeletion,
  checkpoints: startCheckpointJob,
  fairCheckpoints: (app) => startCheckpointJob(app.market.fairs ?? app),
  openPages: ({ live, platform }) => live.notices.start(platform),
  notices: startFollowingMarket,
  topThree: startTopThreeWatch,
  stickers: startGivingStickers,
  watchers: startSweepingWatchers,
  waitingOrders: startEndingOrders,
  fairs: startKeepingFairs,
  operators: startFollowingOperators,
  push: (app) => createPushDelivery(app).start(),
  webhooks: (app) => createWebhookDelivery(app).start(),
} satisfies Record<string, (app: App) => PeriodicJob>

/** Starts a node's background jobs, as far as the settings enable them. */
export function startBackgroundJobs(app: App): readonly Pick<PeriodicJob, 'stop'>[] {
  const { push, webhooks, ...others } = PERIODIC_JOBS
  const { config } = app.platform
  const starts = { ...others, ...(config.push && { push }), ...(config.webhooks && { webhooks }) }
  const periodic = Object.entries(starts).map(([name, start]) => ({ name, job: start(app) }))
  const ages = new Gauge({
    name: 'papermoon_job_success_age_seconds',
    help: 'Time since a background job last ran without an error.',
    labelNames: ['job_name'] as const,
    registers: [app.platform.metrics],
    collect() {
      for (const { name, job } of periodic) ages.set({ job_name: name }, job.getSuccessAge())
    },
  })
  return [
    startAuditSchedule(app, { command: SCHEDULED_AUDIT }),
    startBackupSchedule(app.platform, { command: KEEP_BACKUPS }),
    ...periodic.map(({ job }) => job),
  ]
}
