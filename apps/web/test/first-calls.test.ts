import { expect, it } from 'vitest'
import { recordFirstCalls } from '../src/first-calls.ts'

const toPaths = (batch: string) => batch.slice('/trpc/'.length, batch.indexOf('?')).split(',')

it('preloads the calls of the shell and of each screen’s loader, in one batch', async () => {
  const calls = await recordFirstCalls()
  const batches = Object.fromEntries(Object.entries(calls).map(([screen, { batch }]) => [screen, toPaths(batch)]))
  expect(batches).toEqual({
    '/': ['site.settings', 'tokens.tape', 'tokens.movers', 'tokens.list'],
    '/leaderboard': ['site.settings', 'leaderboard.get'],
    '/token/$id': ['site.settings', 'tokens.get', 'tokens.trades', 'tokens.holders', 'tokens.chart'],
  })
})

it('asks for the player separately, because the shell waits for that response', async () => {
  for (const { user } of Object.values(await recordFirstCalls())) expect(user).toMatch(/^\/trpc\/auth\.me\?input=/)
})

it('leaves a placeholder for the token’s id as a JSON number', async () => {
  const batch = (await recordFirstCalls())['/token/$id']?.batch ?? ''
  const input = new URL(batch.replaceAll('$id', '7'), 'http://localhost').searchParams.get('input') ?? ''
  expect(JSON.parse(input)).toMatchObject({
    1: { json: { id: 7 } },
    4: { json: { id: 7, timeframe: 'ALL', interval: 'auto' } },
  })
})
