import { Decimal } from '@papermoon/amm'
import { expect, it } from 'vitest'
import { deleteDueAccounts } from '../../src/features/account/deletion/delete-due-accounts.ts'
import { endFair } from '../../src/features/fairs/open-fair.ts'
import { becomes, openRoom } from '../support/fairs.ts'
import { shareTestServer } from '../support/test-server.ts'

const WEEK_MS = 7 * 24 * 3_600_000
const JSON_TYPE = { 'content-type': 'application/json' }
const SOON = { timeout: 60_000, interval: 100 }

const server = await shareTestServer()
const host = await server.player('famous')
const first = await server.player('first')
const second = await server.player('second')

it('a room continues after its host has deleted the account: the others trade and get their results', async () => {
  const { id, invite } = await openRoom(host, [first, second])
  const launch = { name: 'Paper Star', symbol: 'STAR', fairId: id, initialBuyAmount: '5' }
  const tokenId = (await host.post('/api/tokens/launch', launch)).json().id
  const pages = ['', '/ranking', '/tokens', '/trades'].map((page) => `/api/fairs/${id}${page}`)
  const reads = [...pages, ...['', '/trades', '/holders'].map((page) => `/api/tokens/${tokenId}${page}`)]
  const readNames = async () => {
    const answers = await Promise.all(reads.map((path) => first.get(path)))
    return answers.map(({ body }, i) => [reads[i], body.includes('famous'), body.includes('deleted player')])
  }
  // At first, the cached responses contain the host's name.
  expect(await readNames()).toEqual(reads.map((path) => [path, true, false]))

  expect((await host.post('/api/account/deletion', {})).statusCode).toBe(200)
  server.passTime(WEEK_MS)
  await deleteDueAccounts(server.app)
  const namesNow = (await readNames()).filter(([path]) => path !== pages[1])
  expect(namesNow).toEqual(reads.filter((path) => path !== pages[1]).map((path) => [path, false, true]))
  // The ranking is cached for a second.
  await expect.poll(readNames, SOON).toEqual(reads.map((path) => [path, false, true]))
  expect((await first.get(`/api/fairs/${id}`)).json()).toMatchObject({
    state: 'open',
    host: { username: 'deleted player' },
    entrants: 3,
  })

  const bought = await second.post('/api/tokens/buy', { tokenId, solAmount: '20' })
  expect([bought.statusCode, bought.json().position.balance]).toEqual([200, '80'])
  const late = await server.player('late')
  expect((await late.post(`/api/fairs/${id}/enter`, { invite })).json()).toMatchObject({ state: 'open', entrants: 4 })
  expect((await late.post('/api/tokens/buy', { tokenId, solAmount: '10' })).statusCode).toBe(200)

  await server.db.transaction().execute((tx) => endFair(tx, id))
  const read = async () => (await first.get(`/api/fairs/${id}/ranking`)).json()
  await becomes(server, first, id, { state: 'settled' })
  const { entrants, sum, isFinal } = await read()
  expect(isFinal).toBe(true)
  const names = entrants.map(({ username }: { username: string }) => username).toSorted()
  expect(names).toEqual(['deleted player', 'first', 'late', 'second'])
  expect(new Decimal(sum.stakes).sub(sum.fees).toFixed()).toBe(new Decimal(sum.standings).add(sum.dust).toFixed())
  expect((await second.post('/api/tokens/buy', { tokenId, solAmount: '1' })).statusCode).toBe(409)
})

it('a player who declares to be a bot is a bot in the next response about a fair’s token', async () => {
  const creator = await server.player('maker')
  const { id } = await openRoom(creator)
  const launch = { name: 'Paper Bot', symbol: 'BOT', fairId: id, initialBuyAmount: '5' }
  const tokenId = (await creator.post('/api/tokens/launch', launch)).json().id
  const readKinds = async () => {
    const answers = await Promise.all(
      ['trades', 'holders'].map((list) => creator.get(`/api/tokens/${tokenId}/${list}`)),
    )
    return answers.map((answer) => answer.json()[0].isBot)
  }
  expect(await readKinds()).toEqual([false, false])
  const declared = await creator.raw('PUT', '/api/account/bot', JSON.stringify({ isBot: true }), JSON_TYPE)
  expect(declared.statusCode).toBe(200)
  expect(await readKinds()).toEqual([true, true])
})
