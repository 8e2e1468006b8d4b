import type { AppPart } from '../../context.ts'
import { readDatabaseTime } from '../../database/time.ts'
import { type PeriodicJob, startPeriodicJob } from '../../lib/periodic-job.ts'
import { publishHeads, startOfHour } from './publish-heads.ts'

const LOOK_EVERY_MS = 30_000

type Parts = AppPart<'db' | 'log'>

/**
 * Publishes the heads of all chains once an hour, by PostgreSQL's clock by default: soon after the full hour, and at
 * start if that was missed. Several nodes may do this on one database.
 */
export function startHeadPublisher(
  { platform: { db, log } }: Parts,
  now: () => Promise<Date> = () => readDatabaseTime(db),
): PeriodicJob {
  /** The last hour that is done, in ms. */
  let doneMs = 0
  const publish = async (stopping: AbortSignal) => {
    const moment = await now()
    const hourMs = startOfHour(moment).getTime()
    if (hourMs === doneMs) return
    const published = await publishHeads(db, moment, stopping)
    if (published === 'elsewhere' || published === 'nothing') return
    doneMs = hourMs
    if (published === 'ahead') {
      log.warn(
        { now: moment },
        'the last published heads are dated in the future (wrong clock); publishing resumes at that hour',
      )
    } else if (published !== 'before') {
      log.info({ tokens: published }, 'the heads of all chains are published')
    }
  }
  return startPeriodicJob(LOOK_EVERY_MS, publish, (error) =>
    log.warn({ err: error }, 'the heads of all chains are not published for now'),
  )
}
