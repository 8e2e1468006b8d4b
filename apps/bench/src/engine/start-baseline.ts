import { execFile } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { connect, type DatabaseAddress } from '@papermoon/db'
import type { BenchContext } from '../bench.ts'
import { BENCH_FOLDER } from '../paths.ts'
import { createBaseline } from './baseline-procedure.ts'
import { type DrivePlan, type DriveResult, tradeInTurn } from './trade-in-turn.ts'

/** Number of connections that call the stored procedure. With more connections, the procedure would not be faster. */
export const BASELINE_CONNECTIONS = 8

const execute = promisify(execFile)

/**
 * Installs the stored procedure. Returns a function that calls the procedure once per trade. The calls come from
 * pgbench, which costs less than any driver in Node. If pgbench is missing, the calls come from Node.
 */
export async function startBaseline(
  { cleanup, say }: BenchContext,
  address: DatabaseAddress,
  size: { readonly tokens: number; readonly players: number },
): Promise<(plan: DrivePlan) => Promise<DriveResult>> {
  const { db, pool, close } = connect(address, { poolMax: BASELINE_CONNECTIONS, statementTimeoutMs: 120_000 })
  cleanup.defer(close)
  await createBaseline(db, size)
  const version = await execute('pgbench', ['--version']).then(
    ({ stdout }) => stdout.trim(),
    () => null,
  )
  say(`  The stored procedure is called by ${version ?? 'Node'}.`)
  if (version !== null && 'host' in address) return (plan) => runPgbench(address, plan)
  const values = (...all: number[]) => ({ name: 'trade', text: 'select baseline.trade($1, $2, $3)', values: all })
  return (plan) =>
    tradeInTurn(plan, async ({ userId, tokenId, held }) => {
      await pool.query(values(tokenId, userId, held === null ? 0 : 1))
      return held === null ? 'all' : null
    })
}

type HostAddress = Extract<DatabaseAddress, { readonly host: string }>

async function runPgbench(
  { host, port, user, password, database }: HostAddress,
  { tokens, players, inFlight, seconds }: DrivePlan,
): Promise<DriveResult> {
  const script = join(BENCH_FOLDER, 'trade.sql')
  const sets = [`\\set token random(1, ${tokens})`, `\\set player random(1, ${players})`, '\\set side random(0, 1)']
  writeFileSync(script, [...sets, 'select baseline.trade(:token, :player, :side);', ''].join('\n'))
  // Name the database last, because `-d` means debugging in older versions of pgbench.
  const where = ['-h', host, '-p', String(port), '-U', user, database]
  const how = ['-n', '-M', 'prepared', '-f', script, '-c', String(inFlight), '-T', String(seconds)]
  const { stdout } = await execute('pgbench', [...how, ...where], { env: { ...process.env, PGPASSWORD: password } })
  const read = (pattern: RegExp) => Number(pattern.exec(stdout)?.[1] ?? Number.NaN)
  return { perSecond: read(/tps = ([\d.]+)/), meanMs: read(/latency average = ([\d.]+) ms/) }
}
