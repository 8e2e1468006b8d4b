import { parseArgs } from 'node:util'
import { listFailures, toTable } from './report.ts'
import { runScale } from './run.ts'
import { listMissingPrograms } from './scaled-market.ts'

const HELP = `npm run scale            a market at scale for five minutes, while its parts are killed and replaced in turn
  --seconds 300         how long; each fault happens once at least
  --quick               one minute`
const SECONDS = 300
const QUICK_SECONDS = 60

const say = (line: string): void => void process.stdout.write(`${line}\n`)

process.exit(
  await main().catch((error: unknown) => {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
    return 1
  }),
)

/** 0: every promise was kept; 1: one was not, or it could not start; 2: not understood. */
async function main(): Promise<0 | 1 | 2> {
  const seconds = readSeconds()
  if (seconds === null) {
    say(HELP)
    return 2
  }
  const missing = listMissingPrograms()
  if (missing.length > 0) say(`These packages are missing, so the market is smaller: ${missing.join(' ')}`)
  const seen = await runScale({ seconds, say: (line) => say(`  ${line}`) })
  say('')
  for (const line of toTable(seen)) say(line)
  say('')
  const failures = listFailures(seen)
  for (const failure of failures) say(failure)
  if (failures.length === 0) say('Every promise was kept.')
  return failures.length === 0 ? 0 : 1
}

/** Null: not understood. */
function readSeconds(): number | null {
  try {
    const options = { quick: { type: 'boolean', default: false }, seconds: { type: 'string' } } as const
    const { quick, seconds } = parseArgs({ options }).values
    const number = seconds === undefined ? (quick ? QUICK_SECONDS : SECONDS) : Number(seconds)
    return Number.isSafeInteger(number) && number >= 1 ? number : null
  } catch {
    return null
  }
}
