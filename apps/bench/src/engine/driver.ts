import { parseSol, parseTokens } from '@papermoon/amm'
import { connect, type DatabaseAddress } from '@papermoon/db'
import type { TokenId, UserId } from '@papermoon/engine'
import { openEngine } from './open-engine.ts'
import type { DriverMessage } from './start-driver.ts'
import { BUY_SOL, type TradeOnce, tradeInTurn } from './trade-in-turn.ts'

/**
 * A process that trades through the engine or the stored procedure, as its argument says. It runs the plans that its
 * parent sends until the parent exits.
 */
const open = process.argv[2] === 'engine' ? tradeByEngine : openProcedure

let trade: TradeOnce | null = null
process.on('message', (message: DriverMessage) => {
  if ('address' in message) {
    trade = open(message.address)
    process.send?.({ result: 'ready' })
  } else if (trade !== null) {
    tradeInTurn(message.plan, trade).then(
      (result) => process.send?.({ result }),
      (error: unknown) => process.send?.({ error: String(error) }),
    )
  }
})
process.on('disconnect', () => process.exit(0))

function tradeByEngine(address: DatabaseAddress): TradeOnce {
  const engine = openEngine(connect(address, { poolMax: 20 }))
  const sol = parseSol(BUY_SOL)
  return async ({ userId, tokenId, held }) => {
    const who = { userId: userId as UserId, tokenId: tokenId as TokenId }
    if (held !== null) {
      await engine.submit({ ...who, kind: 'sell', tokens: parseTokens(held) })
      return null
    }
    const { trade: bought } = await engine.submit({ ...who, kind: 'buy', sol })
    return bought.tokenAmount
  }
}

/** Calls the stored procedure once per trade. This is the baseline on machines without pgbench. */
function openProcedure(address: DatabaseAddress): TradeOnce {
  const { pool } = connect(address, { poolMax: 8, applicationName: 'papermoon-bench' })
  return async ({ userId, tokenId, held }) => {
    const side = held === null ? 0 : 1
    await pool.query({ name: 'trade', text: 'select baseline.trade($1, $2, $3)', values: [tokenId, userId, side] })
    return held === null ? 'all' : null
  }
}
