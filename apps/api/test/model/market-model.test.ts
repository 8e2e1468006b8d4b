import { expect, it } from 'vitest'
import { shareTestServer } from '../support/test-server.ts'
import { compareAll } from './compare.ts'
import { everyAnswer } from './every-answer.ts'
import { begin } from './steps.ts'

const server = await shareTestServer()
const url = `http://127.0.0.1:${await server.listen()}`

/** Random orders: any-orders.chaos.ts. */
it('the market gives every known answer, and shows its effects, as the model does', async () => {
  const { model, real } = await begin(url, server.passTime)
  for (const { step, went } of everyAnswer) {
    await step.run(model, real)
    if (went !== null) expect(model.went).toBe(went)
  }
  await compareAll(model.market, real)
})
