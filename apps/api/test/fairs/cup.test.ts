import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { endFair } from '../../src/features/fairs/open-fair.ts'
import { becomes } from '../support/fairs.ts'
import { shareTestServer, type Visitor } from '../support/test-server.ts'

const server = await shareTestServer()
server.passToNoon()

interface Program {
  readonly owner: Visitor
  send(method: 'POST' | 'PUT', url: string, body: object): ReturnType<Visitor['raw']>
  read(url: string): Promise<unknown>
}

async function createProgram(name: string): Promise<Program> {
  const owner = await server.player(name)
  const { key } = (await owner.post('/api/keys', { name: 'bot', scopes: ['market', 'read', 'trade'] })).json()
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${key}` }
  return {
    owner,
    send: (method, url, body) => server.visitor().raw(method, url, JSON.stringify(body), headers),
    read: async (url) => (await server.visitor().get(url, headers)).json(),
  }
}

it('is played with two keys from its creation to the results, and nobody can enter it by hand', async () => {
  const [ada, bob] = [await createProgram('ada'), await createProgram('bob')]
  const created = await ada.send('POST', '/api/fairs', { kind: 'cup', name: 'Bot cup', minutes: 5, stake: '50' })
  expect([created.statusCode, created.json().invite]).toEqual([201, null])
  const { id } = created.json().fair
  for (const { send } of [ada, bob]) {
    const entered = await send('POST', `/api/fairs/${id}/enter`, {})
    expect([entered.statusCode, entered.json().me.balance]).toEqual([200, '50'])
  }
  const byHand = await bob.owner.post(`/api/fairs/${id}/enter`, {})
  expect([byHand.statusCode, byHand.body]).toEqual([
    409,
    'A cup is for programs. Enter it with an API key that can trade.',
  ])
  const launch = { name: 'Paper Star', symbol: 'STAR', fairId: id }
  const early = await ada.send('POST', '/api/tokens/launch', launch)
  expect([early.statusCode, early.json().detail]).toEqual([409, expect.stringMatching(/^This fair opens at .* UTC\.$/)])
  expect((await ada.send('PUT', `/api/fairs/${id}`, { act: 'start' })).statusCode).toBe(200)
  const tokenId = (await ada.send('POST', '/api/tokens/launch', launch)).json().id
  expect((await bob.send('POST', '/api/tokens/buy', { tokenId, solAmount: '20' })).statusCode).toBe(200)
  const { tokensOut } = (await ada.send('POST', '/api/tokens/buy', { tokenId, solAmount: '20' })).json()
  expect((await ada.send('POST', '/api/tokens/sell', { tokenId, tokenAmount: tokensOut })).statusCode).toBe(200)
  const bySession = await bob.owner.post('/api/tokens/buy', { tokenId, solAmount: '1' })
  expect([bySession.statusCode, bySession.body]).toEqual([409, 'Only programs with an API key can trade in a cup.'])
  expect(await bob.read(`/api/fairs/${id}/tokens`)).toMatchObject([{ id: tokenId, trades: 3 }])
  // The host plays too, so the host can neither end the cup nor remove players.
  const ended = await ada.send('PUT', `/api/fairs/${id}`, { act: 'end' })
  expect([ended.statusCode, ended.json()]).toMatchObject([
    409,
    { code: 'FAIR_RULE', detail: 'A cup that has begun ends only at its bell.' },
  ])
  const { id: bobId } = (await bob.owner.get('/api/auth/user')).json()
  const removed = await ada.owner.raw('DELETE', `/api/fairs/${id}/entrants/${bobId}`, '')
  expect([removed.statusCode, removed.body]).toEqual([409, 'Nobody can be removed from a cup that has begun.'])
  await server.db.transaction().execute((tx) => endFair(tx, id))
  await becomes(server, bob.owner, id, { state: 'settled' })
  expect(await bob.read(`/api/fairs/${id}/ranking`)).toMatchObject({ isFinal: true })
  // Guests can read the ranking.
  const { entrants, total } = (await server.visitor().get(`/api/fairs/${id}/ranking`)).json()
  expect([total, entrants.map(({ username }: { username: string }) => username).toSorted()]).toEqual([
    2,
    ['ada', 'bob'],
  ])
  const { rows } = await sql`select from trades`.execute(server.db)
  expect(rows).toEqual([])
})

it('can be entered once and before it starts, and changed by its host alone', async () => {
  const [host, early, removed, late] = await Promise.all(['host', 'early', 'removed', 'late'].map(createProgram))
  if (host === undefined || early === undefined || removed === undefined || late === undefined) throw new Error()
  const make = async (lateEntry: boolean): Promise<number> =>
    (await host.send('POST', '/api/fairs', { kind: 'cup', name: 'Rules', minutes: 5, lateEntry })).json().fair.id
  const enter = async (program: Program, id: number) => {
    const answer = await program.send('POST', `/api/fairs/${id}/enter`, {})
    return answer.statusCode === 200 ? 'in' : answer.json().detail
  }
  const act = async (program: Program, id: number, what: string) =>
    (await program.send('PUT', `/api/fairs/${id}`, { act: what })).json().code ?? 'done'
  const id = await make(false)
  expect([await enter(early, id), await enter(early, id), await enter(removed, id)]).toEqual(['in', 'in', 'in'])
  const { id: removedId } = (await removed.owner.get('/api/auth/user')).json()
  await host.owner.raw('DELETE', `/api/fairs/${id}/entrants/${removedId}`, '')
  const twice = 'You left this fair, and nobody can enter twice.'
  expect(await enter(removed, id)).toBe(twice)
  expect([await act(early, id, 'start'), await act(host, id, 'start')]).toEqual(['NOT_YOURS', 'done'])
  expect(await enter(late, id)).toBe('This fair has begun, so nobody can enter it any more.')
  await early.send('POST', `/api/fairs/${id}/leave`, {})
  expect(await enter(early, id)).toBe(twice)

  const open = await make(true)
  await act(host, open, 'start')
  expect(await enter(late, open)).toBe('in')
  await server.db.transaction().execute((tx) => endFair(tx, open))
  expect(await enter(early, open)).toBe('This fair has ended, so its tokens can no longer be traded.')
})

it('does not count towards a key’s spending limit, because a player can lose the stake at most', async () => {
  const owner = await server.player('saver')
  const wanted = { name: 'bot', scopes: ['market', 'trade'], spendingLimit: '1' }
  const { key } = (await owner.post('/api/keys', wanted)).json()
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${key}` }
  const send = async (url: string, body: object, method: 'POST' | 'PUT' = 'POST') =>
    (await server.visitor().raw(method, url, JSON.stringify(body), headers)).json()
  const { id } = (await send('/api/fairs', { kind: 'cup', name: 'Cup of savers', minutes: 5, stake: '50' })).fair
  await send(`/api/fairs/${id}/enter`, {})
  await send(`/api/fairs/${id}`, { act: 'start' }, 'PUT')
  const tokenId = (await send('/api/tokens/launch', { name: 'Star', symbol: 'STAR', fairId: id })).id
  expect((await send('/api/tokens/buy', { tokenId, solAmount: '40' })).position.balance).toMatch(/^\d/)
  expect((await send('/api/tokens/buy', { tokenId, solAmount: '40' })).code).toBe('INSUFFICIENT_BALANCE')
  const readSpent = async () => (await owner.get('/api/keys')).json()[0].spentToday
  expect(await readSpent()).toBe('0')
  const fairgroundToken = await owner.launch()
  expect((await send('/api/tokens/buy', { tokenId: fairgroundToken, solAmount: '0.9' })).code).toBeUndefined()
  expect(await readSpent()).toBe('0.9')
  expect((await send('/api/tokens/buy', { tokenId: fairgroundToken, solAmount: '0.2' })).code).toBe(
    'SPENDING_LIMIT_REACHED',
  )
})
