import { connect } from '@papermoon/db'
import { createTradingEngine, systemClock } from '@papermoon/engine'
import { startCuttingProxy } from '@papermoon/engine/testing'
import { pino } from 'pino'
import { expect, it, onTestFinished } from 'vitest'
import { expectSwept, ORDERS, openLadder } from '../../../../packages/engine/test/waiting/ladder.ts'
import { auditMarket } from '../../src/features/audit/audit-market.ts'
import { createOwnMarket } from './support/own-market.ts'
import { readPid, startStandby } from './support/standby.ts'

const NOWHERE = { host: '/nowhere', port: 5432, user: '', password: '', database: '' }

it.each([2, 5])(
  'a standby that takes over after %d batches of a ladder fills the rest: none is lost, doubled or out of order',
  async (batches) => {
    const market = await createOwnMarket()
    const ladder = await openLadder(market)
    await market.engine.close()
    const standby = await startStandby(market)
    const proxy = await startCuttingProxy(market.address)
    onTestFinished(() => proxy.close())
    const client = connect(proxy.address, { poolMax: 4, connectTimeoutMs: 20_000, statementTimeoutMs: 20_000 })
    let published = 0
    let fills = -1
    const killed = Promise.withResolvers<void>()
    const engine = createTradingEngine({
      pool: client.pool,
      clock: systemClock,
      log: pino({ level: 'silent' }),
      publish: ({ events }) => {
        fills += events.length
        if (++published !== batches) return
        // Kill the server here, before the engine commits another batch.
        process.kill(readPid(market.dataDir), 'SIGKILL')
        proxy.moveTo(NOWHERE)
        killed.resolve()
      },
    })
    const sale = { ...ladder.sale, requestKey: 'sweep' }
    const sold = await engine.submit(sale)
    await killed.promise
    expect(fills).toBeLessThan(ORDERS)
    await market.drop()
    const promoted = await standby.promote()
    proxy.moveTo(promoted.address)
    await expectSwept(client, ladder)
    expect(await engine.submit(sale)).toMatchObject({ isRepeat: true, trade: sold.trade })
    expect((await auditMarket(client.pool)).shown).toEqual([])
    await engine.close()
    await client.close()
    await promoted.stop()
  },
)
