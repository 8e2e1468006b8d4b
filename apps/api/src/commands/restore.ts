import { pino } from 'pino'
import { loadConfig } from '../config.ts'
import { isBackupId } from '../features/backup/manifest.ts'
import { restoreBackup } from '../features/backup/restore.ts'
import { createObjectStore } from '../storage/create-object-store.ts'
import { auditCopy, describeAudit, openVault } from './backup.ts'
import type { CommandContext, ExitCode } from './run-command.ts'
import { parseArguments, UsageError } from './run-command.ts'

export const usage = `Usage: papermoon restore FROM [--at TIME]

Restores a backup into the data folder DATA_DIR, which must be empty; a logical export into the empty database of
DATABASE_URL, if that is set. Then audits it.
FROM is what the backup was made to, or one backup in it: /backups/2026-01-31T04-00-00-000Z.
--at TIME restores the market of that moment, such as 2026-01-31T12:30:00Z; without it, the latest there is.`

/** Matches a date and a time, in UTC unless the text names another zone. */
const MOMENT = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d(?::\d\d(?:\.\d{1,6})?)?)(Z|[+-]\d\d:\d\d)?$/

export async function run({ say }: CommandContext, args: readonly string[]): Promise<ExitCode> {
  const config = loadConfig()
  const { values, positionals } = parseArguments(args, { at: { type: 'string' } }, usage)
  const [from = '', ...more] = positionals
  if (from.trim() === '' || more.length > 0) throw new UsageError(usage)
  const at = values.at === undefined ? null : parseMoment(values.at)
  const { location, id } = splitLocation(from)
  const { differences } = await restoreBackup(await openVault(location, config), {
    config,
    id,
    at,
    openObjects: (dataDir) => createObjectStore({ ...config, dataDir }, pino({ level: 'silent' })),
    audit: async (database) => {
      const audited = await auditCopy(database)
      say(`audit: ${describeAudit(audited)}`)
      return audited
    },
    say,
  })
  return differences === 0 ? 0 : 1
}

function splitLocation(from: string): { readonly location: string; readonly id: string | null } {
  const path = from.replace(/\/+$/, '')
  const cut = path.lastIndexOf('/')
  const name = path.slice(cut + 1)
  return isBackupId(name) ? { location: cut < 0 ? '.' : path.slice(0, cut), id: name } : { location: from, id: null }
}

function parseMoment(text: string): Date {
  const [, day, time, zone = 'Z'] = MOMENT.exec(text) ?? []
  const at = new Date(`${day}T${time}${zone}`)
  if (Number.isNaN(at.getTime())) {
    throw new UsageError(`${text} is not a time. Write it as 2026-01-31T12:30:00Z.`)
  }
  return at
}
