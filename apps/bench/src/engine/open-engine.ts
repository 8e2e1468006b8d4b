import { parseSol, parseTokens } from '@papermoon/amm'
import { createLog } from '@papermoon/api/testing'
import { connect, type DatabaseAddress, type DatabaseClient } from '@papermoon/db'
import type { MarketEvent, OrderEntry, TokenId, TradingEngine, UserId } from '@papermoon/engine'
import { createTradingEngine, systemClock } from '@papermoon/engine'
import { BUY_SOL, type TradeOnce } from './trade-in-turn.ts'

export const log = await createLog('error')

export interface OpenEngine extends Pick<DatabaseClient, 'db'> {
  readonly trade: TradeOnce
}

/** The trading engine as the server creates it, without transports. */
export function openEngine(
  address: DatabaseAddress,
  publish: (events: readonly MarketEvent[]) => void = () => {},
  share: (own: TradingEngine, pool: DatabaseClient['pool']) => OrderEntry = (own) => own,
): OpenEngine {
  const { db, pool } = connect(address, { poolMax: 20 })
  const engine = share(createTradingEngine({ pool, clock: systemClock, log, publish }), pool)
  const sol = parseSol(BUY_SOL)
  const trade: TradeOnce = async ({ userId, tokenId, held }) => {
    const who = { userId: userId as UserId, tokenId: tokenId as TokenId }
    if (held !== null) {
      await engine.submit({ ...who, kind: 'sell', tokens: parseTokens(held) })
      return null
    }
    const { trade: bought } = await engine.submit({ ...who, kind: 'buy', sol })
    return bought.tokenAmount
  }
  return { db, trade }
}
