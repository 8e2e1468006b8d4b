import { type ConnectOptions, connect, type DatabaseAddress, type DatabaseClient } from '@papermoon/db'
import { pino } from 'pino'
import { onTestFinished } from 'vitest'
import { type CuttingProxy, startCuttingProxy } from '../../../db/test/fixtures/cutting-proxy.ts'
import { systemClock } from '../../src/clock.ts'
import { createTradingEngine, type TradingEngine } from '../../src/trading-engine.ts'

/** An engine with its own connections. */
export interface EngineNode extends Pick<DatabaseClient, 'pool'> {
  readonly engine: TradingEngine
  /** Warnings that the engine logged. */
  readonly warnings: readonly string[]
}

interface NodeOptions
  extends ConnectOptions,
    Partial<Pick<Parameters<typeof createTradingEngine>[0], 'clock' | 'timers' | 'publish' | 'limits'>> {}

/** Opens a node that is closed when the test ends. */
export function openNode(address: DatabaseAddress, options: NodeOptions = {}): EngineNode {
  const { clock = systemClock, publish = () => {}, limits, timers, ...connection } = options
  const client = connect(address, { poolMax: 2, ...connection })
  const warnings: string[] = []
  const log = pino({ level: 'warn' }, { write: (line: string) => void warnings.push(line) })
  const engine = createTradingEngine({
    ...{ pool: client.pool, clock, log, publish },
    ...(limits && { limits }),
    ...(timers && { timers }),
  })
  onTestFinished(async () => {
    await engine.close()
    await client.close()
  })
  return { engine, warnings, pool: client.pool }
}

/** Starts a proxy that is closed when the test ends. */
export async function openProxy(address: DatabaseAddress): Promise<CuttingProxy> {
  const proxy = await startCuttingProxy(address)
  onTestFinished(() => proxy.close())
  return proxy
}
