import type { Config } from '../../config.ts'
import { listBackups, type Manifest } from '../../features/backup/manifest.ts'
import { counted, describeAge } from '../../lib/counted.ts'
import { openVault } from '../backup.ts'
import { type Finding, note, ok, wrong } from './finding.ts'

const HOUR_MS = 3_600_000
const PAGE = 'back-up.md'

/** Checks the newest backup in BACKUP_TO. A day without a server is no fault, but two are. */
export async function checkBackups(config: Config): Promise<Finding[]> {
  const { to } = config.backup
  if (to === null) return [note('The server takes no backups, because BACKUP_TO is not set.', PAGE)]
  const { backups, unreadable } = await listBackups(await openVault(to, config))
  return [...unreadable.map(({ message }) => wrong(message, PAGE)), checkNewest(config.backup, backups[0])]
}

function checkNewest({ to, everyHours }: Config['backup'], newest: Manifest | undefined): Finding {
  if (newest === undefined) return wrong(`There is no backup in ${to}.`, PAGE)
  const { position, verified } = newest
  const hours = (Date.now() - position.at.getTime()) / HOUR_MS
  const text = `The newest backup in ${to} is ${describeAge(hours)} old`
  if (hours > 2 * everyHours) return wrong(`${text}, but BACKUP_EVERY_HOURS is ${everyHours}.`, PAGE)
  if (verified === null) return note(`${text}. There was no room to restore a copy and audit it.`, PAGE)
  if (verified.differences > 0)
    return wrong(`${text}; its audit found ${counted(verified.differences, 'difference')}.`, PAGE)
  return ok(`${text}. A restored copy of it is exact.`)
}
