import { pino } from 'pino'
import { loadConfig } from '../config.ts'
import { asOnlyBackup } from '../features/backup/backup-lock.ts'
import { verifyAside } from '../features/backup/restore/verify-aside.ts'
import { takeBackup } from '../features/backup/take/take-backup.ts'
import { createObjectStore } from '../storage/create-object-store.ts'
import { auditCopy, describeAudit } from './backup/audit-copy.ts'
import { openVault } from './backup/open-vault.ts'
import { UsageError } from './command-error.ts'
import { parseArguments } from './parse-arguments.ts'
import { type CommandContext, type ExitCode, runCommand } from './run-command.ts'

const USAGE = `Usage: npm run backup -- TO [--logical]

Backs up the database and the pictures of a running or stopped server, restores the backup aside and audits it.
TO is a folder or s3://BUCKET/FOLDER; BACKUP_TO if it is left out. BACKUP_KEY encrypts the backup.
--logical copies rows instead of PostgreSQL's files: smaller, restores into any version, but only its own moment.`

/** One holds the lock. */
const CONNECTIONS = 3

await runCommand(backUp)

async function backUp({ openDatabase, say }: CommandContext): Promise<ExitCode> {
  const config = loadConfig()
  const options = { logical: { type: 'boolean', default: false } } as const
  const { values, positionals } = parseArguments(process.argv.slice(2), options, USAGE)
  const [to = config.backup.to, ...more] = positionals
  if (to === null || to.trim() === '' || more.length > 0) throw new UsageError(USAGE)
  const vault = await openVault(to, config)
  await vault.place.prepare()
  const database = await openDatabase(CONNECTIONS)
  const objects = await createObjectStore(config, pino({ level: 'silent' }))
  const source = { database, objects, isEmbedded: config.databaseUrl === null }
  const { id, manifest } = await asOnlyBackup(database.pool, (signal) =>
    takeBackup(source, vault, {
      signal,
      isLogical: values.logical,
      say,
      verify: (taken) => {
        say('Restoring it aside, to audit it …')
        return verifyAside(vault, taken, { dataDir: config.dataDir, audit: auditCopy })
      },
    }),
  )
  if (manifest.verified !== null) say(`Audit of the restored copy: ${describeAudit(manifest.verified)}`)
  const kind = manifest.kind === 'physical' ? 'backup' : 'logical export'
  say(`The ${vault.isSealed ? 'encrypted ' : ''}${kind} ${id} is in ${to}.`)
  return (manifest.verified?.differences ?? 0) === 0 ? 0 : 1
}
