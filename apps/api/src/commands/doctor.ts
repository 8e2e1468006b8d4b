import { type Config, ConfigError, loadConfig } from '../config.ts'
import { listBackups, type Manifest } from '../features/backup/manifest.ts'
import { counted, describeAge } from '../lib/text.ts'
import { openVault } from './backup.ts'
import {
  checkAudit,
  checkClock,
  checkLocks,
  checkVersions,
  type Finding,
  note,
  ok,
  wrong,
} from './doctor/check-database.ts'
import {
  checkMail,
  checkProxy,
  checkRedis,
  checkRoom,
  checkSettings,
  checkStorage,
} from './doctor/check-surroundings.ts'
import { type CommandContext, describeError, type ExitCode, UsageError } from './run-command.ts'

const HOUR_MS = 3_600_000

const PAGE = 'back-up.md'

export const usage = `Usage: papermoon doctor

Says in plain sentences what is wrong, and which page of docs/operations helps. Checks settings, versions, disk, database, clock,

mail, storage, Redis, backups, audit. Runs beside a server and without one. Exit code 1: something is wrong.`

const DATABASE_PAGE = 'deploy.md#a-postgresql-of-your-own'

const checksWithout = [checkSettings, checkProxy, checkRoom, checkStorage, checkMail, checkRedis, checkBackups]

/** Checks that need a database with this version's schema. */
const checksOfDatabase = [checkLocks, checkClock, checkAudit]

export async function run(context: CommandContext, args: readonly string[]): Promise<ExitCode> {
  if (args.length > 0) throw new UsageError(usage)
  const findings = await examine(context)
  for (const { state, text, page } of findings) {
    context.say(`${state.padEnd(5)}  ${text}${page === undefined ? '' : `\n       See docs/operations/${page}`}`)
  }
  const count = findings.filter(({ state }) => state === 'wrong').length
  context.say(count === 0 ? 'Found no problems.' : `Found ${count} ${count === 1 ? 'problem' : 'problems'}.`)
  return count === 0 ? 0 : 1
}

async function examine(context: CommandContext): Promise<Finding[]> {
  const config = readSettings()
  if (Array.isArray(config)) return config
  const findings: Finding[] = []
  const add = async (check: () => Promise<Finding[]> | Finding[], page: string) => {
    // A check that throws is also a finding, so continue with the other checks.
    const found = await Promise.resolve()
      .then(check)
      .catch((error: unknown) => [wrong(toSentence(error), page)])
    findings.push(...found)
    return found.every(({ state }) => state !== 'wrong')
  }
  for (const check of checksWithout) await add(() => check(config), 'settings.md')
  await add(async () => {
    const examined = { config, database: await context.connectDatabase() }
    if (!(await add(() => checkVersions(examined), DATABASE_PAGE))) return []
    for (const check of checksOfDatabase) await add(() => check(examined), DATABASE_PAGE)
    return []
  }, DATABASE_PAGE)
  return findings
}

function readSettings(): Config | Finding[] {
  try {
    return loadConfig()
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    return error.issues.map(({ name, message }) => wrong(`${name} ${message}.`, 'settings.md'))
  }
}

/** Returns only the first line of an unexpected error, because the other lines do not help an operator. */
const toSentence = (error: unknown) => describeError(error).split('\n', 1)[0] ?? ''

/** Checks the newest backup in BACKUP_TO. The server may be off for one day without a warning, but not for two. */
async function checkBackups(config: Config): Promise<Finding[]> {
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
