import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { connect, type DatabaseAddress, type EmbeddedPostgres } from '@papermoon/db'
import type { BenchContext } from '../bench.ts'
import { BENCH_FOLDER } from '../paths.ts'
import { createBaseline } from './baseline-procedure.ts'
import { type Driver, startDriver } from './start-driver.ts'

/** Number of connections that call the stored procedure. More connections are not faster. */
export const BASELINE_CONNECTIONS = 8
/** Max length of the output in characters, because each rejected trade writes a line. */
const COMPLAINTS_MAX = 2_000

/** Installs the stored procedure and starts a caller for it: pgbench, or a driver in Node if pgbench is missing. */
export async function startBaseline(
  context: Pick<BenchContext, 'note'>,
  address: DatabaseAddress,
  size: { readonly tokens: number; readonly players: number },
): Promise<Driver> {
  const database = connect(address, { poolMax: 1, statementTimeoutMs: 120_000 })
  await createBaseline(database.db, size).finally(() => database.close())
  const version = pgbenchVersion()
  context.note('stored procedure driven by', version ?? 'Node')
  if (version === null || !('host' in address)) return await startDriver('procedure', address)
  return pgbenchDriver(address)
}

/** Returns the version of pgbench; null if it is not installed. */
function pgbenchVersion(): string | null {
  try {
    return execFileSync('pgbench', ['--version'], { encoding: 'utf8' }).trim()
  } catch {
    return null
  }
}

/**
 * Creates a driver that calls the stored procedure once per trade with pgbench, which costs less than any driver in
 * Node.
 */
function pgbenchDriver({ host, port, user, password, database }: EmbeddedPostgres['address']): Driver {
  return {
    drive: async ({ tokens, players, inFlight, seconds }) => {
      const script = join(BENCH_FOLDER, 'trade.sql')
      const sets = [`\\set token random(1, ${tokens})`, `\\set player random(1, ${players})`, '\\set side random(0, 1)']
      writeFileSync(script, [...sets, 'select baseline.trade(:token, :player, :side);', ''].join('\n'))
      const where = ['-h', host, '-p', String(port), '-U', user, '-d', database]
      const how = ['-n', '-M', 'prepared', '-f', script, '-c', String(inFlight), '-T', String(seconds)]
      const stdout = await runPgbench([...how, ...where], password)
      return {
        perSecond: figureIn(stdout, /tps = ([\d.]+)/),
        meanMs: figureIn(stdout, /latency average = ([\d.]+) ms/),
      }
    },
    stop: async () => {},
  }
}

/** Returns pgbench's output. If pgbench fails, throws its first error. */
async function runPgbench(args: readonly string[], password: string): Promise<string> {
  const child = spawn('pgbench', args, { env: { ...process.env, PGPASSWORD: password } })
  const output = { stdout: '', stderr: '' }
  child.stdout.on('data', (data: Buffer) => {
    output.stdout += data
  })
  child.stderr.on('data', (data: Buffer) => {
    if (output.stderr.length < COMPLAINTS_MAX) output.stderr += data
  })
  const [code] = await once(child, 'close')
  if (code !== 0) throw new Error(`pgbench failed:\n${output.stderr.slice(0, COMPLAINTS_MAX)}`)
  return output.stdout
}

function figureIn(output: string, pattern: RegExp): number {
  const text = pattern.exec(output)?.[1]
  if (text === undefined) throw new Error(`pgbench said something else:\n${output}`)
  return Number(text)
}
