import { createTestDatabase } from '@papermoon/db/testing'
import { expect, it, onTestFinished } from 'vitest'
import { fillMarket } from '../support/bulk-market.ts'
import { runProgram } from '../support/run-command.ts'

/**
 * `AUDIT_TRADES=1000000 vitest run --config chaos.config.ts test/audit` prints time and memory for a longer journal.
 */
const TRADES = Number.parseInt(process.env.AUDIT_TRADES ?? '100000', 10)
const FILL_MAX_MS = 60_000 + TRADES
/**
 * Max size of the JavaScript heap: enough for the program and some pages of the journal, but too small for all of it.
 */
const HEAP_MAX_MB = 40

it(
  'audits a long journal with as little memory as a short one',
  async () => {
    const database = await createTestDatabase()
    onTestFinished(() => database.drop(), FILL_MAX_MS)
    // One hot token and a few others, since a token's trades must not be held in memory either.
    await fillMarket(database, { players: 100, tokens: 3, trades: TRADES })
    const { code, stdout, stderr } = await runProgram(['audit'], { DATABASE_URL: database.connectionString }, [
      `--max-old-space-size=${HEAP_MAX_MB}`,
      '--max-semi-space-size=8',
      '--import=data:text/javascript,process.on("exit",()=>console.error(process.resourceUsage().maxRSS))',
    ])
    if (process.env.AUDIT_TRADES !== undefined) process.stdout.write(`${stdout}most memory, kB: ${stderr}`)
    expect({ code, stdout }).toEqual({
      code: 0,
      stdout: expect.stringContaining(`audit: 3 tokens, ${TRADES} trades, 100 players: every sum is exact`),
    })
  },
  FILL_MAX_MS * 2,
)
