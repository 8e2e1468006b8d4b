import { readdir } from 'node:fs/promises'
import { constants, setPriority } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { loadConfig } from '../config.ts'
import { type KeeperReport, keepBackups } from '../features/backup/keep/keep-backups.ts'
import { removeDataFolder, verifyAside } from '../features/backup/restore/verify-aside.ts'
import { createObjectStore } from '../storage/create-object-store.ts'
import { auditCopy } from './backup/audit-copy.ts'
import { openVault } from './backup/open-vault.ts'
import { type CommandContext, describeError, type ExitCode, runCommand } from './run-command.ts'

/** Two hold locks, and one asks where the WAL is. */
const CONNECTIONS = 4

/** Started by the server when BACKUP_TO is set: archives the WAL and takes backups until the server ends. */
async function keep({ openDatabase }: CommandContext): Promise<ExitCode> {
  const config = loadConfig()
  const { to, everyHours, keep: kept } = config.backup
  if (to === null) return 0
  // Copies that a killed process left behind.
  for (const name of await readdir(config.dataDir)) {
    if (/^aside-[0-9a-f]{8}$/.test(name)) await removeDataFolder(join(config.dataDir, name))
  }
  const vault = await openVault(to, config)
  const objects = await createObjectStore(config, pino({ level: 'silent' }))
  return await keepBackups({
    source: { database: await openDatabase(CONNECTIONS), objects, isEmbedded: config.databaseUrl === null },
    vault,
    everyHours,
    keep: kept,
    followsPictures: config.s3 === null,
    verify: (manifest) => verifyAside(vault, manifest, { dataDir: config.dataDir, audit: auditCopy }),
    report: (report: KeeperReport) => void process.send?.(report),
  }).catch(endAtOnce)
}

/** Without the role nothing may go on: a backup under way would delay the end of the process, and so its next start. */
function endAtOnce(error: unknown): never {
  process.stderr.write(`${describeError(error)}\n`)
  process.exit(2)
}

setPriority(constants.priority.PRIORITY_LOW)
// Exit with the server.
process.once('disconnect', () => process.exit(2))
// The server may have ended before the listener was attached.
if (process.connected === false) process.exit(2)
process.channel?.unref()
await runCommand(keep)
