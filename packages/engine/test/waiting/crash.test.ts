import { afterEach, beforeEach, expect, it } from 'vitest'
import type { OutcomeUnknownError } from '../../src/errors.ts'
import { openNode, openProxy } from '../support/open-node.ts'
import { createTestMarket, type TestMarket } from '../support/test-market.ts'
import { expectSwept, type Ladder, openLadder } from './ladder.ts'

let market: TestMarket
let ladder: Ladder
beforeEach(async () => {
  market = await createTestMarket()
  ladder = await openLadder(market)
})
afterEach(() => market?.close())

it.each(['cut', 'silence'] as const)(
  'if the response to a commit of a cascade is lost (%s), the order’s repeat trades once, and each fill happens once',
  async (how) => {
    const proxy = await openProxy(market.address)
    const timeouts = { connectTimeoutMs: 20_000, statementTimeoutMs: 3_000, answerGraceMs: 1_000 }
    const { engine } = openNode(proxy.address, { ...timeouts, poolMax: 4 })
    void proxy.loseNextAnswer('commit', how)
    const failure: OutcomeUnknownError = await engine.submit(ladder.sale).catch((error) => error)
    expect(failure).toMatchObject({ code: 'OUTCOME_UNKNOWN' })
    // Also lose a response to one of the following commits, if this node makes one.
    void proxy.loseNextAnswer('commit', how)
    const { trade } = await market.engine.submit({ ...ladder.sale, requestKey: failure.requestKey })
    expect(trade.seq).toBe(2)
    await expectSwept(market, ladder)
  },
)
