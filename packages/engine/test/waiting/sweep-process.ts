/** A process that sells argv[4] tokens of token argv[3] for player argv[2] on the database argv[5], until it is killed. */
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
  publish: (events) => process.stdout.write(`${JSON.stringify({ events: events.length })}\n`),
})
await engine.submit({
  kind: 'sell',
  userId: Number(userId) as UserId,
  tokenId: Number(tokenId) as TokenId,
  tokens: parseTokens(tokens),
})
