import { loadConfig } from '../config.ts'
import { type KeeperReport, keepBackups } from '../features/backup/keep-backups.ts'
import { verifyAside } from '../features/backup/restore.ts'
import { auditCopy, openBackupSource, openVault } from './backup.ts'
import { type CommandContext, describeError, type ExitCode, runChildCommand } from './run-command.ts'

/** Number of database connections: two hold locks, and one reads the log position. */
const CONNECTIONS = 4

/**
 * Archives the write-ahead log and takes backups until the server ends. The server starts this command if `BACKUP_TO`
 * is set.
 */
async function keep({ openDatabase }: CommandContext): Promise<ExitCode> {
  const config = loadConfig()
  const { to, everyHours, keep: kept } = config.backup
  if (to === null) return 0
  const vault = await openVault(to, config)
  return await keepBackups({
    source: await openBackupSource(config, await openDatabase(CONNECTIONS)),
    vault,
    everyHours,
    keep: kept,
    followsPictures: config.s3 === null,
    verify: (backup) => verifyAside(vault, backup, config.dataDir, auditCopy),
    report: (report: KeeperReport) => void process.send?.(report),
  }).catch(endAtOnce)
}

/**
 * Ends the process at once when it loses the backup lock. A running backup would delay the end of the process and its
 * next start.
 */
function endAtOnce(error: unknown): never {
  process.stderr.write(`${describeError(error)}\n`)
  process.exit(2)
}

await runChildCommand(keep)
