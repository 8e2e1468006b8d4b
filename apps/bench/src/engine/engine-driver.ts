import { parseSol, parseTokens } from '@papermoon/amm'
import { createLog } from '@papermoon/api/testing'
import { connect } from '@papermoon/db'
import type { TokenId, UserId } from '@papermoon/engine'
import { createTradingEngine, systemClock } from '@papermoon/engine'
import { driveOnDemand } from './drive-on-demand.ts'
import { BUY_SOL } from './trade-in-turn.ts'

/** The trading engine as the server creates it, in a separate process without transports. */
const log = await createLog('warn')

driveOnDemand((address) => {
  const { pool } = connect(address, { poolMax: 20 })
  const engine = createTradingEngine({ pool, clock: systemClock, log, publish: () => {} })
  const sol = parseSol(BUY_SOL)
  return async ({ userId, tokenId, held }) => {
    const who = { userId: userId as UserId, tokenId: tokenId as TokenId }
    if (held !== null) {
      await engine.submit({ ...who, kind: 'sell', tokens: parseTokens(held) })
      return null
    }
    const { trade } = await engine.submit({ ...who, kind: 'buy', sol })
    return trade.tokenAmount
  }
})
