import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { EmbeddedPostgres } from '@papermoon/db'
import { BENCH_FOLDER } from '../paths.ts'
import type { Driver } from './start-driver.ts'

/** Its version; null where there is none on this machine. */
export function pgbenchVersion(): string | null {
  try {
    return execFileSync('pgbench', ['--version'], { encoding: 'utf8' }).trim()
  } catch {
    return null
  }
}

/** pgbench calling the stored procedure, prepared, once a trade: it costs less than any driver in Node. */
export function pgbenchDriver({ host, port, user, password, database }: EmbeddedPostgres['address']): Driver {
  return {
    drive: async ({ tokens, players, inFlight, seconds }) => {
      const script = join(BENCH_FOLDER, 'trade.sql')
      const sets = [`\\set token random(1, ${tokens})`, `\\set player random(1, ${players})`, '\\set side random(0, 1)']
      writeFileSync(script, [...sets, 'select baseline.trade(:token, :player, :side);', ''].join('\n'))
      const where = ['-h', host, '-p', String(port), '-U', user, '-d', database]
      const how = ['-n', '-M', 'prepared', '-f', script, '-c', String(inFlight), '-T', String(seconds)]
      const stdout = await pgbench([...how, ...where], password)
      return {
        perSecond: figureIn(stdout, /tps = ([\d.]+)/),
        meanMs: figureIn(stdout, /latency average = ([\d.]+) ms/),
      }
    },
    stop: async () => {},
  }
}

/** What it wrote. Throws with the first of its complaints when it fails. */
async function pgbench(args: readonly string[], password: string): Promise<string> {
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

/** Characters: each trade that is refused is one line. */
const COMPLAINTS_MAX = 2_000

function figureIn(output: string, pattern: RegExp): number {
  const text = pattern.exec(output)?.[1]
  if (text === undefined) throw new Error(`pgbench said something else:\n${output}`)
  return Number(text)
}
