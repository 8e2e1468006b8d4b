import { expect, it } from 'vitest'
import { killBot } from './faults/bot.ts'

/** More often: `npm run chaos -- bot`. */
it('a bot that is killed among its orders places each once and knows all its fills', async () => {
  const seen = await killBot({ orders: 60, kills: 3, say: () => {} })
  expect(seen).toMatchObject({ orders: 60, kills: 3 })
}, 240_000)
