import { FOLLOWS_MAX } from '@papermoon/contract/follows'
import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { anonymize, eraseRows } from '../../src/features/account/deletion/store.ts'
import { ageAccount } from '../support/moderators.ts'
import { shareTestServer, type Visitor } from '../support/test-server.ts'

/** Number of tries with two concurrent calls, some of which conflict. */
const MEETINGS = 16

let tokenId: number
const server = await shareTestServer()
const fan = await server.player('fan')
const idol = await server.player('idol')
const fanId = await ageAccount(server, fan)
const idolId = await ageAccount(server, idol)

const remove = (visitor: Visitor, url: string) => visitor.raw('DELETE', url, '')
const readFeed = async (): Promise<{ kind: string; at: string }[]> => (await fan.get('/api/follows/feed')).json()

it('shows launches, large trades, posts and rug pulls of followed players, newest first, and nothing else', async () => {
  expect((await fan.put(`/api/follows/player/${idolId}`)).statusCode).toBe(200)
  tokenId = await idol.launch()
  await idol.buy(tokenId, '2')
  await idol.buy(tokenId, '0.5')
  await idol.post('/api/talk', { tokenId, text: 'My own token, and a good one' })
  await (await server.player('somebody')).buy(tokenId, '3')
  const other = await idol.launch({ initialBuyAmount: '0.1' })
  await idol.post(`/api/tokens/${other}/rug`, {})
  const feed = await readFeed()
  expect(feed.map(({ kind }) => kind)).toEqual(['rug', 'launch', 'post', 'trade', 'launch'])
  expect(feed).toMatchObject([{}, {}, { text: 'My own token, and a good one' }, { side: 'buy', sol: '2' }, {}])
  const page = await fan.get(`/api/follows/feed?before=${encodeURIComponent(feed[2]?.at ?? '')}`)
  expect(page.json().map(({ kind }: { kind: string }) => kind)).toEqual(['trade', 'launch'])
})

it('shows an event of a followed token once, even if its player is followed too', async () => {
  await fan.put(`/api/follows/token/${tokenId}`)
  const trades = (await readFeed()).filter(({ kind }) => kind === 'trade')
  expect(trades).toHaveLength(2)
  await remove(fan, `/api/follows/player/${idolId}`)
  await remove(fan, `/api/follows/token/${tokenId}`)
  expect(await readFeed()).toEqual([])
})

it('rejects following unknown players and oneself', async () => {
  expect((await fan.put('/api/follows/player/99999')).statusCode).toBe(404)
  expect((await fan.put('/api/follows/token/99999')).statusCode).toBe(404)
  expect((await fan.put(`/api/follows/player/${fanId}`)).statusCode).toBe(400)
})

it('limits the number of follows', async () => {
  const [eager, tokens] = [await server.player('eager'), 2 ** 30]
  await sql`
    insert into follows (user_id, kind, target_id, created_at)
    select ${await eager.id()}::int, 'token', ${tokens}::int + n, now() from generate_series(2, ${FOLLOWS_MAX}::int) n`.execute(
    server.db,
  )
  const answers = [await eager.put(`/api/follows/token/${tokenId}`), await eager.put(`/api/follows/player/${idolId}`)]
  expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 422])
})

it('shows followers and posts on a profile, unless the player hides them', async () => {
  await fan.put(`/api/follows/player/${idolId}`)
  const read = async (visitor: Visitor) => (await visitor.get(`/api/users/${idolId}/followers`)).json()
  expect(await read(fan)).toMatchObject({ followers: 1, latest: [{ id: fanId }], posts: [{ tokenId }] })
  await idol.put('/api/follows', { hidesFollows: true })
  expect(await read(fan)).toEqual({ followers: null, following: null, latest: [], posts: [] })
  expect(await read(idol)).toMatchObject({ followers: 1 })
})

it('omits followers who hide whom they follow, except from themselves', async () => {
  await idol.put('/api/follows', { hidesFollows: false })
  await fan.put('/api/follows', { hidesFollows: true })
  const read = async (visitor: Visitor) => (await visitor.get(`/api/users/${idolId}/followers`)).json()
  for (const visitor of [idol, server.visitor()])
    expect(await read(visitor)).toMatchObject({ followers: 1, latest: [] })
  expect((await read(fan)).latest).toMatchObject([{ id: fanId }])
  await fan.put('/api/follows', { hidesFollows: false })
})

it('stores no follow if the player blocks the follower at the same moment', async () => {
  for (let round = 0; round < MEETINGS; round++) {
    await remove(fan, `/api/follows/player/${idolId}`)
    await Promise.all([fan.put(`/api/follows/player/${idolId}`), idol.put(`/api/blocks/${fanId}`)])
    const follows = await server.db.selectFrom('follows').select('user_id').where('target_id', '=', idolId).execute()
    expect(follows).toEqual([])
    await remove(idol, `/api/blocks/${fanId}`)
  }
  await fan.put(`/api/follows/player/${idolId}`)
})

it('a deleted account’s posts are erased, and it has no followers', async () => {
  const parent = (await fan.post('/api/talk', { tokenId, text: 'A question for all of you' })).json().id
  await idol.post('/api/talk', { tokenId, text: 'An answer that goes away', parentId: parent })
  await server.db.transaction().execute(async (tx) => {
    await eraseRows(tx, idolId as never)
    await anonymize(tx, idolId as never)
  })
  const posts = (await fan.get(`/api/talk?tokenId=${tokenId}`)).json()
  expect(posts).toMatchObject([{ id: parent, replies: 0 }])
  const texts = await server.db.selectFrom('posts').select('text').where('user_id', '=', idolId).execute()
  expect(texts.every(({ text }) => text === '')).toBe(true)
  expect((await fan.get('/api/follows')).json().players).toEqual([])
})
