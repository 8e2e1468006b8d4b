import type { PostEvent } from '@papermoon/contract/posts'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { openEventSource } from '../support/event-source.ts'
import { changeFair, makeRoom } from '../support/fairs.ts'
import { ageAccount, moderator } from '../support/moderators.ts'
import { openSocket, type TestServer, type Visitor } from '../support/test-server.ts'
import { startTwoNodes, type TwoNodes } from '../support/two-nodes.ts'
import { WAIT_MAX_MS } from '../support/wait.ts'
import { sayNew } from '../support/words.ts'

let two: TwoNodes
/** Two nodes without Redis. Each node reads the other's posts from the journal. */
let here: TestServer
let there: TestServer
let origins: { readonly here: string; readonly there: string }
let writer: Visitor
let tokenId: number

beforeAll(async () => {
  two = await startTwoNodes()
  ;[here, there] = two.nodes
  origins = {
    here: `http://127.0.0.1:${await here.listen()}`,
    there: `http://127.0.0.1:${await there.listen()}`,
  }
  writer = await here.player('writer')
  await ageAccount(here, writer)
  tokenId = await writer.launch()
})
afterAll(() => two?.close())

const write = async (more: object = {}): Promise<number> => {
  const answer = await writer.post('/api/talk', { tokenId, text: sayNew(), ...more })
  if (answer.statusCode !== 201) throw new Error(answer.body)
  return answer.json().id
}

interface Heard {
  readonly id: string
  readonly postId: number
  readonly kind: string
  readonly text: string
}

/** Watches a topic. `heard` contains each post once, as clients show it. */
async function watch(origin: string, input: object, visitor?: Visitor) {
  const cookie = visitor?.cookie
  const { socket, send } = await openSocket(`${origin.replace('http', 'ws')}/trpc`, cookie ? { cookie, origin } : {})
  const heard: Heard[] = []
  const errors: string[] = []
  let isStarted = false
  let last: PostEvent | undefined
  socket.on('message', (message) => {
    const { result, error } = JSON.parse(String(message))
    if (error !== undefined) errors.push(error.json.data.reason)
    if (result?.type === 'started') isStarted = true
    if (result?.type !== 'data') return
    const { id, data } = result.data.json
    last = data
    const found = { id, postId: data.post.id, kind: data.kind, text: data.post.text }
    if (!heard.some((other) => other.postId === found.postId && other.kind === found.kind && other.text === found.text))
      heard.push(found)
  })
  send({ id: 1, method: 'subscription', params: { path: 'talk.watch', input: { json: input } } })
  await vi.waitFor(() => expect(isStarted || errors.length > 0).toBe(true), WAIT_MAX_MS)
  return { heard, errors, last: () => last, close: () => socket.terminate() }
}

describe('a post', () => {
  it('is sent to all who watch its token, at every node, and to nobody else', async () => {
    const other = await writer.launch()
    const watchers = await Promise.all([
      watch(origins.here, { tokenId }),
      watch(origins.there, { tokenId }),
      watch(origins.here, { tokenId: other }),
    ])
    const id = await write()
    for (const { heard } of watchers.slice(0, 2)) {
      await vi.waitFor(() => expect(heard.map(({ postId }) => postId)).toEqual([id]), WAIT_MAX_MS)
    }
    await write({ tokenId: other })
    await vi.waitFor(() => expect(watchers[2]?.heard).toHaveLength(1), WAIT_MAX_MS)
    expect(watchers[2]?.heard[0]?.postId).not.toBe(id)
    for (const { close } of watchers) close()
  })

  it('is sent again when it changes, and without its text when it is deleted', async () => {
    const watcher = await watch(origins.there, { tokenId })
    const id = await write()
    await vi.waitFor(() => expect(watcher.heard).toHaveLength(1), WAIT_MAX_MS)
    await writer.raw('DELETE', `/api/talk/${id}`, '')
    await vi.waitFor(() => expect(watcher.heard).toHaveLength(2), WAIT_MAX_MS)
    expect(watcher.heard[1]).toMatchObject({ postId: id, kind: 'changed', text: '' })
    watcher.close()
  })

  it('is sent again for each reaction, with its count', async () => {
    const watcher = await watch(origins.there, { tokenId })
    const id = await write()
    const react = (reaction: string | null) => writer.put(`/api/talk/${id}/reaction`, { reaction })
    for (const [reaction, moons] of [
      ['moon', 1],
      [null, undefined],
    ] as const) {
      expect((await react(reaction)).json().reaction).toBe(reaction)
      await vi.waitFor(() => expect(watcher.last()).toMatchObject({ kind: 'changed', post: { id } }), WAIT_MAX_MS)
      await vi.waitFor(() => expect(watcher.last()?.post.reactions.moon).toBe(moons), WAIT_MAX_MS)
    }
    watcher.close()
  })

  it('that was missed arrives after a reconnection, also at another node, and in order', async () => {
    const first = await watch(origins.here, { tokenId })
    const seen = await write()
    await vi.waitFor(() => expect(first.heard).toHaveLength(1), WAIT_MAX_MS)
    const lastEventId = first.heard[0]?.id
    first.close()
    const missed = [await write(), await write(), await write()]
    const gone = await write()
    await writer.raw('DELETE', `/api/talk/${gone}`, '')
    for (const origin of [origins.here, origins.there]) {
      const again = await watch(origin, { tokenId, lastEventId })
      const isAll = () => expect(again.heard.filter(({ postId }) => postId === gone).length).toBeGreaterThan(0)
      await vi.waitFor(isAll, WAIT_MAX_MS)
      const ids = [...new Set(again.heard.map(({ postId }) => postId))]
      // Recent posts may arrive again.
      expect(ids.slice(ids.indexOf(missed[0] ?? 0))).toEqual([...missed, gone])
      expect(ids.slice(0, ids.indexOf(missed[0] ?? 0)).every((id) => id <= seen)).toBe(true)
      again.close()
    }
  })

  it('is in the event stream if the filter names posts, and otherwise not', async () => {
    const plain = await openEventSource(`${origins.here}/api/events`)
    const named = await openEventSource(`${origins.here}/api/events?types=post,trade`)
    const ofToken = await openEventSource(`${origins.here}/api/events?types=post&tokens=${tokenId}`)
    const id = await write()
    await writer.buy(tokenId, '0.1')
    await named.until(() => named.events.some(({ type }) => type === 'trade'))
    await ofToken.until(() => ofToken.events.length > 0)
    await plain.until(() => plain.events.some(({ type }) => type === 'trade'))
    expect(named.events.map(({ type }) => type)).toEqual(['post', 'trade'])
    expect(named.events[0]?.data).toMatchObject({ type: 'post', tokenId, kind: 'shown', post: { id }, symbol: 'MOON' })
    expect(ofToken.events[0]?.data.post.id).toBe(id)
    expect(plain.events.map(({ type }) => type)).not.toContain('post')
    for (const source of [plain, named, ofToken]) source.close()
  })

  it('does not change a cached response or a figure of the market', async () => {
    const before = (await here.visitor().get(`/api/tokens/${tokenId}`)).json()
    await write()
    const after = (await here.visitor().get(`/api/tokens/${tokenId}`)).json()
    expect(after).toEqual(before)
  })
})

describe('a block', () => {
  it('hides posts between the two players in every stream, at every node, also in a second tab, until it ends', async () => {
    const [eve, fay] = [await here.player('eve'), await here.player('fay')]
    const eveId = await ageAccount(here, eve)
    const path = `?types=post&tokens=${tokenId}`
    const open = (origin: string, { cookie = '' }: Partial<Visitor> = {}) =>
      openEventSource(`${origin}/api/events${path}`, { cookie })
    const raw: string[] = []
    const headers = { cookie: fay.cookie ?? '', origin: origins.here }
    const { socket } = await openSocket(`${origins.here.replace('http', 'ws')}/ws${path}`, headers)
    socket.on('message', (message) => raw.push(JSON.parse(String(message)).post.text))
    const first = await watch(origins.here, { tokenId }, fay)
    const second = await watch(origins.here, { tokenId }, fay)
    first.close()
    const sources = await Promise.all([open(origins.here, fay), open(origins.there, fay), open(origins.here)])
    const heard = [
      () => raw,
      () => second.heard.map(({ text }) => text),
      ...sources.map((source) => () => source.events.map(({ data }) => data.post.text as string)),
    ]
    // Ignore the posts of the test before, which another node may still be reading.
    const said: string[] = []
    const say = async (visitor: Visitor): Promise<string> => {
      const { text } = (await visitor.post('/api/talk', { tokenId, text: sayNew() })).json()
      said.push(text)
      return text
    }
    const hear = async (wanted: readonly string[], ofGuest = wanted) => {
      for (const [index, texts] of heard.entries()) {
        const ours = () => texts().filter((text) => said.includes(text))
        await vi.waitFor(() => expect(ours()).toEqual(index === 4 ? ofGuest : wanted), WAIT_MAX_MS)
      }
    }
    await fay.put(`/api/blocks/${eveId}`, {})
    const unheard = await say(eve)
    const marker = await say(writer)
    await hear([marker], [unheard, marker])
    await fay.raw('DELETE', `/api/blocks/${eveId}`, '')
    const again = await say(eve)
    await hear([marker, again], [unheard, marker, again])
    for (const { close } of [second, ...sources]) close()
    socket.terminate()
    // The blocked player does not receive the other player's posts either.
    await fay.put(`/api/blocks/${eveId}`, {})
    const ofEve = await watch(origins.here, { tokenId }, eve)
    await say(fay)
    const last = await say(writer)
    await vi.waitFor(() => expect(ofEve.heard.map(({ text }) => text)).toEqual([last]), WAIT_MAX_MS)
    ofEve.close()
  })
})

describe('a room', () => {
  it('shows its lobby and its tokens’ posts to its members only, in streams and lists', async () => {
    const member = await here.player('member')
    const stranger = await here.player('stranger')
    const room = await makeRoom(writer, [member])
    const lobby = { fairId: room.id, tokenId: undefined }
    const all = await openEventSource(`${origins.here}/api/events?types=post`)
    const [inside, outside, guest] = [
      await watch(origins.here, { fairId: room.id }, member),
      await watch(origins.here, { fairId: room.id }, stranger),
      await watch(origins.here, { fairId: room.id }),
    ]
    const id = await write(lobby)
    expect(id).toBeGreaterThanOrEqual(1_000_000_000)
    await vi.waitFor(() => expect(inside.heard.map(({ postId }) => postId)).toEqual([id]), WAIT_MAX_MS)
    expect([outside.errors, guest.errors]).toEqual([['FAIR_NOT_FOUND'], ['FAIR_NOT_FOUND']])
    const last = await write()
    await all.until(() => all.events.length > 0)
    expect(all.events.map(({ data }) => data.post.id)).toEqual([last])
    expect((await member.get(`/api/talk?fairId=${room.id}`)).json()).toHaveLength(1)
    for (const visitor of [stranger, here.visitor()]) {
      expect((await visitor.get(`/api/talk?fairId=${room.id}`)).statusCode).toBe(404)
      expect((await visitor.get(`/api/talk/${id}/replies`)).statusCode).toBe(404)
    }
    const report = await stranger.post('/api/reports', { kind: 'post', id, reason: 'spam' })
    expect([report.statusCode, report.body]).toEqual([404, 'There is no such post.'])
    expect((await stranger.raw('DELETE', `/api/talk/${id}`, '')).statusCode).toBe(404)
    expect((await stranger.post('/api/talk', { fairId: room.id, text: 'Let me in' })).statusCode).toBe(404)
    // A player who leaves gets no further posts.
    await member.post(`/api/fairs/${room.id}/leave`, {})
    await vi.waitFor(() => expect(inside.errors).toHaveLength(1), WAIT_MAX_MS)
    for (const { close } of [inside, outside, guest, all]) close()
  })

  it('has its tokens’ posts in its own stream, live and resumed, and in no other fair’s', async () => {
    const [member, elsewhere] = [await here.player(), await here.player()]
    const room = await makeRoom(writer, [member])
    const other = await makeRoom(elsewhere)
    await changeFair(writer, room.id, { act: 'start' })
    const launch = { name: 'Room Moon', symbol: 'ROOM', emoji: '🌙', fairId: room.id }
    const roomToken = (await writer.post('/api/tokens/launch', launch)).json().id
    const open = (fairId: number, { cookie = '' }: Visitor, more = '') =>
      openEventSource(`${origins.here}/api/events?types=post&fairs=${fairId}${more}`, { cookie })
    const [inside, outside] = [await open(room.id, member), await open(other.id, elsewhere)]
    const watcher = await watch(origins.here, { tokenId: roomToken }, member)
    const first = await write({ tokenId: roomToken })
    await inside.until(() => inside.events.length > 0)
    await vi.waitFor(() => expect(watcher.heard).toHaveLength(1), WAIT_MAX_MS)
    expect(inside.events[0]?.data).toMatchObject({ fairId: room.id, tokenId: roomToken, post: { id: first } })
    watcher.close()
    // Read the position now, before the next post, which this stream may receive at once.
    const place = inside.lastId()
    const missed = await write({ tokenId: roomToken })
    // Posts in the lobby are in no event stream, only in the room's talk.
    await write({ fairId: room.id, tokenId: undefined })
    const resumed = await open(room.id, member, `&after=${place}`)
    const again = await watch(origins.there, { tokenId: roomToken, lastEventId: watcher.heard[0]?.id }, member)
    await resumed.until(() => resumed.events.some(({ data }) => data?.post?.id === missed))
    const posts = resumed.events.filter(({ type }) => type === 'post').map(({ data }) => data.post.id)
    expect(posts.filter((id) => id > first)).toEqual([missed])
    await vi.waitFor(() => expect(again.heard.at(-1)?.postId).toBe(missed), WAIT_MAX_MS)
    expect((await open(room.id, elsewhere)).status).toBe(404)
    expect(outside.events).toEqual([])
    for (const { close } of [inside, outside, resumed, again]) close()
  })

  it('can be moderated by its host, in the moderators’ log, and by no other player', async () => {
    const [host, rude] = [await here.player('host'), await here.player('rude')]
    const room = await makeRoom(host, [rude, writer])
    const written = await rude.post('/api/talk', { fairId: room.id, text: 'Something rather rude to all' })
    const { id } = written.json()
    const act = (visitor: Visitor, what: string) =>
      visitor.post(`/api/talk/${id}/acts`, { act: what, reason: 'Not in my room' })
    expect((await act(writer, 'hide')).statusCode).toBe(403)
    expect((await act(await here.player(), 'hide')).statusCode).toBe(404)
    expect((await act(host, 'hide')).statusCode).toBe(200)
    expect((await writer.get(`/api/talk?fairId=${room.id}`)).json()).toEqual([])
    expect((await act(host, 'mute')).statusCode).toBe(200)
    const muted = await rude.post('/api/talk', { fairId: room.id, text: 'And now what will you do' })
    expect([muted.statusCode, muted.body]).toEqual([403, expect.stringMatching(/^You are muted until .* UTC\.$/)])
    // The player is muted only in the room.
    expect((await rude.post('/api/talk', { tokenId, text: 'I may still speak out here' })).statusCode).toBe(201)
    expect((await act(host, 'restore')).statusCode).toBe(200)
    expect((await writer.get(`/api/talk?fairId=${room.id}`)).json()).toHaveLength(1)
    const acts = (await rude.get('/api/reports/acts')).json()
    expect(acts.map((row: { act: string; reason: string }) => [row.act, row.reason])).toEqual([
      ['restore', 'Not in my room'],
      ['mute', 'Not in my room'],
      ['hide', 'Not in my room'],
    ])
    // An action without an effect is not logged.
    for (const what of ['mute', 'restore']) await act(host, what)
    expect((await rude.get('/api/reports/acts')).json()).toHaveLength(3)
    // A host can show neither a post that waits for a moderator, including the host's own, nor one that a moderator has
    // hidden.
    const own = await host.post('/api/talk', { fairId: room.id, text: 'what a fucking lovely room' })
    expect((await host.post(`/api/talk/${own.json().id}/acts`, { act: 'restore', reason: 'Mine' })).statusCode).toBe(
      404,
    )
    await writer.post('/api/reports', { kind: 'post', id, reason: 'abuse' })
    const mod = await moderator(here, 'room-mod')
    const { cases } = (await mod.query('admin.cases')).json().result.data.json
    const caseId = cases.find((one: { targetId: number }) => one.targetId === id)?.id
    expect((await mod.mutate('admin.decide', { caseId, act: 'hide', reason: 'House rules' })).statusCode).toBe(200)
    const refused = [403, 'A moderator hid this post, so only a moderator can show it again.']
    const restore = async () => {
      const { statusCode, body } = await act(host, 'restore')
      return [statusCode, body]
    }
    expect(await restore()).toEqual(refused)
    // A newer action of the host does not change that.
    await sql`delete from mutes`.execute(here.db)
    expect((await act(host, 'mute')).statusCode).toBe(200)
    expect(await restore()).toEqual(refused)
    expect((await writer.get(`/api/talk?fairId=${room.id}`)).json()).toEqual([])
    // In the fairground, players have no such rights.
    const open = await write()
    expect((await host.post(`/api/talk/${open}/acts`, { act: 'hide', reason: 'Mine' })).statusCode).toBe(403)
  })
})
