import { loadConfig } from '../config.ts'
import { type KeeperReport, keepBackups } from '../features/backup/keep-backups.ts'
import { verifyAside } from '../features/backup/restore.ts'
import { auditCopy, openBackupSource, openVault } from './backup.ts'
import { type CommandContext, describeError, type ExitCode, runChildCommand } from './run-command.ts'

/** Two hold locks, and one asks where the log is. */
const CONNECTIONS = 4

/** Started by the server when BACKUP_TO is set: archives the log and takes backups until the server ends. */
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

/** Without the role nothing may go on: a backup under way would delay the end of the process, and so its next start. */
function endAtOnce(error: unknown): never {
  process.stderr.write(`${describeError(error)}\n`)
  process.exit(2)
}

await runChildCommand(keep)
