/** A process that sells argv[4] tokens of token argv[3] for player argv[2] on the database argv[5], until it is killed or the cascade has ended. */
import { setTimeout as sleep } from 'node:timers/promises'
import { parseTokens } from '@papermoon/amm'
import type { TokenId, UserId } from '@papermoon/contract/ids'
import { connect } from '@papermoon/db'
import { pino } from 'pino'
import { createTradingEngine } from '../../src/trading-engine.ts'

const [, , userId = '', tokenId = '', tokens = '', address = ''] = process.argv
const { pool } = connect(JSON.parse(address))
const engine = createTradingEngine({
  pool,
  clock: { now: () => new Date() },
  log: pino({ level: 'silent' }),
  publish: ({ events }) => process.stdout.write(`${JSON.stringify({ events: events.length })}\n`),
})
await engine.submit({
  kind: 'sell',
  userId: Number(userId) as UserId,
  tokenId: Number(tokenId) as TokenId,
  tokens: parseTokens(tokens),
})
const isRunning = async () => {
  const { rows } = await pool.query('select from pools where token_id = $1 and cascade_from is not null', [tokenId])
  return rows.length > 0
}
while (await isRunning()) await sleep(20)
process.exit(0)
