import { constants, setPriority } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { type ParseArgsConfig, parseArgs } from 'node:util'
import {
  acquireDataDirLock,
  assertMigrated,
  connect,
  type DatabaseAddress,
  type DatabaseClient,
  DatabaseSetupError,
  DataDirInUseError,
  findEmbeddedAddress,
  isDatabaseUnavailable,
  startEmbedded,
} from '@papermoon/db'
import { DomainError } from '@papermoon/engine'
import { type Config, ConfigError, loadConfig } from '../config.ts'
import { BackupError } from '../features/backup/backup-error.ts'
import { disposeAll } from '../lib/teardown.ts'

/**
 * How long to wait for a starting server, in ms. The server locks the data folder before its database accepts
 * connections.
 */
const SERVER_STARTS_WITHIN_MS = 20_000

const RETRY_MS = 100

/** Max number of connections. Most commands need one database connection, and an audit needs two. */
const POOL_MAX = 2

/** An expected failure of a command, with a message for the operator. */
export class CommandError extends Error {
  override readonly name: string = 'CommandError'
}

/** The arguments of a command are invalid. The error message says which argument is wrong. */
export class UsageError extends CommandError {
  override readonly name = 'UsageError'
}

/**
 * The exit code of a command is 0 after success, 1 if an audit found differences or `doctor` found a problem, and 2
 * after a failure.
 */
export type ExitCode = 0 | 1 | 2

export interface CommandContext {
  /** Opens the configured database. The database is closed when the command ends. */
  openDatabase(poolMax?: number): Promise<DatabaseClient>
  /** Connects to the configured database, even if its schema has another version. */
  connectDatabase(poolMax?: number): Promise<DatabaseClient>
  /** Writes a line for the operator. */
  say(line: string): void
  /** Writes text verbatim, for other programs. */
  write(text: string): void
}

/**
 * Runs a command as this process's main function. An expected failure prints one sentence to stderr and exits with 2.
 * If an embedded database was started for the command, it is stopped at the end.
 */
export async function runCommand(command: (context: CommandContext) => Promise<ExitCode>): Promise<void> {
  // Call `process.exit`, because it runs the exit handlers that stop the embedded database; the signal's default action
  // does not.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => process.exit(2))
  const teardown = new AsyncDisposableStack()
  let exitCode: ExitCode = 2
  try {
    exitCode = await command({
      openDatabase: (poolMax) => openDatabase(loadConfig(), teardown, poolMax),
      connectDatabase: (poolMax) => connectDatabase(loadConfig(), teardown, poolMax),
      say: (line) => void process.stdout.write(`${line}\n`),
      write: (text) => void process.stdout.write(text),
    })
  } catch (error) {
    process.stderr.write(`${describeError(error)}\n`)
  }
  for (const error of await disposeAll(teardown)) {
    process.stderr.write(`${describeError(error)}\n`)
    exitCode = 2
  }
  process.exitCode = exitCode
}

/** Runs a command as a child process of the server. The command ends together with the server. */
export async function runChildCommand(
  command: (context: CommandContext) => Promise<ExitCode>,
  { isUrgent = false } = {},
): Promise<void> {
  if (!isUrgent) setPriority(constants.priority.PRIORITY_LOW)
  // This listener does not keep the process alive, because the channel is unreferenced below.
  process.once('disconnect', () => process.exit(2))
  // The server may have ended before the listener was attached. `connected` is undefined if this is not a child
  // process.
  if (process.connected === false) process.exit(2)
  process.channel?.unref()
  await runCommand(command)
}

/** Returns one sentence for an expected failure, and the stack for any other error. */
export function describeError(error: unknown): string {
  const isPlain = [BackupError, CommandError, ConfigError, DatabaseSetupError, DomainError].some(
    (kind) => error instanceof kind,
  )
  if (!(error instanceof Error)) return String(error)
  if (isPlain) return error.message
  if (isDatabaseUnavailable(error)) return `Could not reach the database: ${describeCause(error)}.`
  return error.stack ?? error.message
}

/**
 * Describes an error's cause. If all addresses of a host name refuse a connection, Node throws an AggregateError
 * without a message.
 */
function describeCause(error: Error): string {
  return error instanceof AggregateError ? error.errors.map(String).join('; ') : error.message
}

/** Parses a command's options and positional arguments. Throws `UsageError` with `usage` for an unknown option. */
export function parseArguments<const Options extends NonNullable<ParseArgsConfig['options']>>(
  args: readonly string[],
  options: Options,
  usage: string,
) {
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true })
  } catch {
    throw new UsageError(usage)
  }
}

/**
 * Opens the configured database for a command: `DATABASE_URL` or the embedded database. If no server runs, the embedded
 * database is started and runs until `teardown`. Throws `DatabaseSetupError` if there is no database or its schema has
 * another version.
 */
export async function openDatabase(
  config: Config,
  teardown: AsyncDisposableStack,
  poolMax = POOL_MAX,
): Promise<DatabaseClient> {
  const database = await connectDatabase(config, teardown, poolMax)
  await assertMigrated(database.db)
  return database
}

/** Connects to the configured database, even if its schema has another version. */
export async function connectDatabase(
  config: Config,
  teardown: AsyncDisposableStack,
  poolMax = POOL_MAX,
): Promise<DatabaseClient> {
  const database = connect(await findAddress(config, teardown), { poolMax, applicationName: 'papermoon-command' })
  teardown.defer(() => database.close())
  return database
}

async function findAddress({ databaseUrl, dataDir }: Config, teardown: AsyncDisposableStack): Promise<DatabaseAddress> {
  if (databaseUrl !== null) return { connectionString: databaseUrl }
  const giveUpAt = Date.now() + SERVER_STARTS_WITHIN_MS
  for (;;) {
    const address = findEmbeddedAddress(dataDir)
    if (address !== null) return address
    try {
      return await startHere(dataDir, teardown)
    } catch (error) {
      if (!(error instanceof DataDirInUseError) || Date.now() > giveUpAt) throw error
      await sleep(RETRY_MS)
    }
  }
}

async function startHere(dataDir: string, teardown: AsyncDisposableStack): Promise<DatabaseAddress> {
  const lock = acquireDataDirLock(dataDir)
  try {
    const postgres = await startEmbedded({ dataDir })
    teardown.defer(async () => lock.release())
    teardown.defer(() => postgres.stop())
    return postgres.address
  } catch (error) {
    lock.release()
    throw error
  }
}
