/**
 * Trades on a Papermoon server with a house full of bots. The configuration comes as one line of JSON on the standard
 * input (`{ url, seed, bots: [{ name, key, character }] }`), or from a file that only its owner can read:
 *
 *     node apps/bots/src/house.ts --config FILE
 *
 * A later line `{"retire":true}` makes the bots sell everything and leave. The process ends when all bots have left or
 * with the input (exit code 0), or with a signal (128 and the signal's number). It logs one JSON object a line on the
 * standard error.
 */
import { constants } from 'node:os'
import { parseArgs } from 'node:util'
import { House } from './house/house.ts'
import { ConfigError, type HouseConfig, parseHouseConfig, readConfigFile } from './house/house-config.ts'
import { readLines } from './house/read-lines.ts'
import { createLog } from './lib/log.ts'

/** Longest time to close cleanly. */
const CLOSE_MAX_MS = 900

const log = createLog((line) => process.stderr.write(line))
const closing = new AbortController()

function close(exitCode: number): void {
  if (closing.signal.aborted) return
  process.exitCode = exitCode
  closing.abort()
  setTimeout(() => process.exit(), CLOSE_MAX_MS).unref()
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, () => close(128 + constants.signals[signal]))
}
process.on('disconnect', () => close(0))
process.stderr.on('error', () => {})

try {
  await run()
} catch (error) {
  const isExpected = error instanceof ConfigError
  log.error(isExpected ? error.message : 'the bots ended', isExpected ? {} : { stack: Object(error).stack })
  process.exitCode = 1
}
process.exit()

async function run(): Promise<void> {
  const { values } = parseArgs({ options: { config: { type: 'string' } } })
  const lines = values.config === undefined ? readLines(process.stdin) : null
  const config = lines === null ? await readConfigFile(values.config ?? '') : await readConfigLine(lines)
  if (config === null) return
  const house = new House({ config, log, signal: closing.signal })
  if (lines !== null) void obey(lines, house).finally(() => close(0))
  const end = await house.run()
  log.info(end === 'retired' ? 'all bots have left' : 'the bots are closed', house.counts)
}

async function readConfigLine(lines: AsyncGenerator<string>): Promise<HouseConfig | null> {
  const { value, done } = await lines.next()
  return done === true ? null : parseHouseConfig(value)
}

/** Follows commands until the input ends. */
async function obey(lines: AsyncGenerator<string>, house: House): Promise<void> {
  for await (const line of lines) {
    if (/^\s*\{\s*"retire"\s*:\s*true\s*\}\s*$/.test(line)) house.retire()
    else if (line.trim() !== '') log.warn('a line of the input is no command')
  }
}
