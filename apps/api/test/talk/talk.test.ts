import type { Post } from '@papermoon/contract/posts'
import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import { ageAccount, moderator } from '../support/moderators.ts'
import { shareTestServer, type Visitor } from '../support/test-server.ts'
import { waitForLocked } from '../support/wait.ts'
import { sayNew } from '../support/words.ts'

let tokenId: number
const server = await shareTestServer()
const creator = await server.player('creator')
const luna = await server.player('luna')
const lunaId = await ageAccount(server, luna)
beforeAll(async () => {
  await ageAccount(server, creator)
  tokenId = await creator.launch({ initialBuyAmount: '1' })
})

const write = (visitor: Visitor, text: string, more: object = {}) =>
  visitor.post('/api/talk', { tokenId, text, ...more })
const post = async (visitor: Visitor, text: string, more: object = {}): Promise<Post> => {
  const answer = await write(visitor, text, more)
  if (answer.statusCode !== 201) throw new Error(answer.body)
  return answer.json()
}
const list = async (visitor: Visitor, query = ''): Promise<Post[]> =>
  (await visitor.get(`/api/talk?tokenId=${tokenId}${query}`)).json()
const remove = (visitor: Visitor, id: number) => visitor.raw('DELETE', `/api/talk/${id}`, '')
const refusal = async (answer: ReturnType<typeof write>) => {
  const { statusCode, body } = await answer
  return [statusCode, body]
}

const readNews = async (visitor: Visitor, kind: string) =>
  (await visitor.get('/api/notices')).json().news.filter((one: { kind: string }) => one.kind === kind)

describe('a mention', () => {
  it('notifies the player once, and an edit notifies only players who were not mentioned before', async () => {
    const [sol, mira] = [await server.player('sol'), await server.player('mira')]
    const [solId, miraId] = await Promise.all([sol, mira].map((one) => ageAccount(server, one)))
    const { id } = await post(luna, 'Look at this one, @sol', { mentions: [solId] })
    const [told] = await readNews(sol, 'mention')
    expect(told).toMatchObject({ actor: { username: 'luna' }, token: { id: tokenId }, post: { id, tokenId } })
    const edit = { text: 'Look at this one, @sol and @mira', mentions: [solId, miraId] }
    expect((await luna.put(`/api/talk/${id}`, edit)).statusCode).toBe(200)
    expect([await readNews(sol, 'mention'), await readNews(mira, 'mention')].map((news) => news.length)).toEqual([1, 1])
  })

  it('in a held post notifies the player when a moderator accepts the post', async () => {
    const named = await server.player('named')
    const namedId = await ageAccount(server, named)
    const shady = await server.player('shady')
    const { id, state } = await post(shady, 'See https://example.com, @named', { mentions: [namedId] })
    expect([state, await readNews(named, 'mention')]).toEqual(['held', []])
    const mod = await moderator(server, 'mod-of-mentions')
    const { cases } = (await mod.query('admin.cases')).json().result.data.json
    const { id: caseId } = cases.find((one: { targetId: number }) => one.targetId === id)
    await mod.mutate('admin.decide', { caseId, act: 'release', reason: 'A fine site' })
    expect(await readNews(named, 'mention')).toHaveLength(1)
    expect(await readNews(shady, 'moderation')).toMatchObject([{ moderation: { act: 'release', isReport: false } }])
  })
})

it('a name after @ is a mention, longest name first, in any case, except of players who blocked the author', async () => {
  const [tim, wind, foe] = [await server.player('Tim'), await server.player('Wind'), await server.player('foe')]
  await server.db.updateTable('users').set({ username: 'Tim Wind' }).where('username', '=', 'Wind').execute()
  await foe.put(`/api/blocks/${lunaId}`, {})
  const said = await post(luna, 'Hi @tim wind, @TIM! and @foe, @nobody; not mail@Tim')
  expect(said.mentions.map(({ username }) => username).sort()).toEqual(['Tim', 'Tim Wind'])
  const bells = await Promise.all([tim, wind, foe].map((one) => readNews(one, 'mention')))
  expect(bells.map(({ length }) => length)).toEqual([1, 1, 0])
})

describe('notices about talk', () => {
  const read = (visitor: Visitor, { id }: { id: number }) => visitor.post('/api/notices/read', { ids: [id] })

  it('shows replies, reactions, followers and the first post on one’s own token, as one unread notice of each', async () => {
    const star = await server.player()
    const starId = await ageAccount(server, star)
    const id = await star.launch()
    const said = await post(star, sayNew(), { tokenId: id })
    const [first, second] = [sayNew(), sayNew()]
    const acts: Record<string, (fan: Visitor, n: number) => Promise<unknown>> = {
      post: (fan, n) => post(fan, n === 0 ? first : sayNew(), { tokenId: id }),
      reply: (fan, n) => post(fan, n === 1 ? second : sayNew(), { tokenId: id, parentId: said.id }),
      reaction: (fan) => fan.put(`/api/talk/${said.id}/reaction`, { reaction: 'moon' }),
      follower: (fan) => fan.put(`/api/follows/player/${starId}`, {}),
    }
    const undo: Record<string, (fan: Visitor) => Promise<unknown>> = {
      reaction: (fan) => fan.put(`/api/talk/${said.id}/reaction`, { reaction: null }),
      follower: (fan) => fan.raw('DELETE', `/api/follows/player/${starId}`, ''),
    }
    const fans = [await server.player(), await server.player(), await server.player()] as const
    // A reply does not count as the first post.
    await star.put('/api/notices/settings', { muted: [], mutedNews: ['reply'] })
    await post(fans[2], sayNew(), { tokenId: id, parentId: said.id })
    await star.put('/api/notices/settings', { muted: [], mutedNews: [] })
    const texts = { post: first, reply: second, reaction: said.text }
    for (const [kind, act] of Object.entries(acts)) {
      await act(star, 9)
      expect([kind, await readNews(star, kind)]).toEqual([kind, []])
      await act(fans[0], 0)
      await act(fans[1], 1)
      const [told, ...more] = await readNews(star, kind)
      const text = texts[kind as keyof typeof texts]
      expect([kind, told?.times, told?.post?.text, more]).toEqual([kind, kind === 'post' ? 1 : 2, text, []])
      await read(star, told)
      await act(fans[2], 2)
      // A player who reacts or follows again after undoing it causes only one notice a day.
      await undo[kind]?.(fans[2])
      if (kind in undo) await act(fans[2], 2)
      expect([kind, (await readNews(star, kind))[0]?.times]).toEqual([kind, 1])
      expect([kind, await readNews(star, kind)]).toMatchObject([kind, { length: kind === 'post' ? 1 : 2 }])
    }
    // The text of a deleted post is no longer quoted.
    await remove(star, said.id)
    expect((await readNews(star, 'reaction'))[0].post).toMatchObject({ id: said.id, text: '' })
  })

  it('ignores muted kinds, and actions of muted players', async () => {
    const [star, loud] = [await server.player(), await server.player()]
    const loudId = await ageAccount(server, loud)
    const said = await post(star, 'Say what you want about it')
    await star.put('/api/notices/settings', { muted: [], mutedNews: ['reply'] })
    await post(loud, 'That is what I wanted to say', { parentId: said.id })
    await server.db
      .insertInto('mutes')
      .values({ user_id: loudId, fair_id: 0, until: new Date(Date.now() + 60_000) })
      .execute()
    await loud.put(`/api/talk/${said.id}/reaction`, { reaction: 'moon' })
    expect((await star.get('/api/notices')).json().news).toEqual([])
  })
})

describe('a post', () => {
  it('can be read by guests, newest first, with the price and trade at which it was written', async () => {
    const first = await post(luna, 'I would buy this for its name alone')
    await luna.buy(tokenId, '2')
    const second = await post(luna, 'And now I did, for two whole SOL')
    const [newest, oldest] = await list(server.visitor())
    expect([newest?.id, oldest?.id]).toEqual([second.id, first.id])
    expect([oldest?.seq, newest?.seq]).toEqual([1, 2])
    expect(Number(newest?.price)).toBeGreaterThan(Number(oldest?.price))
  })

  it('shows what its writer holds now, not what they held then', async () => {
    const seller = await server.player('seller')
    const { tokensOut } = await seller.buy(tokenId, '1')
    const written = await post(seller, 'Diamond hands, believe you me')
    expect(Number(written.writer.share)).toBeGreaterThan(0)
    await seller.sell(tokenId, tokensOut)
    const [shown] = await list(server.visitor())
    expect(shown?.writer).toMatchObject({ username: 'seller', share: '0', isCreator: false })
    const own = await post(creator, 'I made this with my own hands')
    expect(own.writer.isCreator).toBe(true)
    expect((await post(await server.player('watcher'), 'Only looking around here')).writer.share).toBeNull()
  })

  it('is divided into pages by a cursor', async () => {
    const all = await list(server.visitor())
    const page = await server.visitor().get(`/api/talk?tokenId=${tokenId}&limit=2`)
    expect(page.json().map(({ id }: Post) => id)).toEqual(all.slice(0, 2).map(({ id }) => id))
    const next = /<([^>]+)>; rel="next"/.exec(String(page.headers.link))?.[1] ?? ''
    const rest = await server.visitor().get(next.replace(/^https?:\/\/[^/]+/, ''))
    expect(rest.json().map(({ id }: Post) => id)).toEqual(all.slice(2, 4).map(({ id }) => id))
  })

  it('can be edited by its writer for a minute, and by nobody else', async () => {
    const { id } = await post(luna, 'This hsa a typo in the middle')
    expect(await refusal(creator.put(`/api/talk/${id}`, { text: 'Something quite different' }))).toEqual([
      403,
      'This belongs to someone else.',
    ])
    const edited = await luna.put(`/api/talk/${id}`, { text: 'This has no typo anywhere' })
    expect([edited.statusCode, edited.json().text, edited.json().editedAt]).toEqual([
      200,
      'This has no typo anywhere',
      expect.any(String),
    ])
    server.passTime(61_000)
    expect(await refusal(luna.put(`/api/talk/${id}`, { text: 'Too late to say that' }))).toEqual([
      409,
      'You can edit a post only in its first minute.',
    ])
  })

  it('disappears when it is deleted, or becomes a placeholder while it has replies', async () => {
    const parent = await post(luna, 'Who else came for the free cake?')
    const reply = await post(creator, 'There never was any cake here', { parentId: parent.id })
    expect(await refusal(write(luna, 'Deeper than one level?', { parentId: reply.id }))).toEqual([
      404,
      'There is no such post.',
    ])
    expect(await refusal(remove(creator, parent.id))).toEqual([403, 'This belongs to someone else.'])
    expect((await remove(luna, parent.id)).statusCode).toBe(200)
    const gap = (await list(server.visitor())).find(({ id }) => id === parent.id)
    expect([gap?.text, gap?.state, gap?.replies]).toEqual(['', 'deleted', 1])
    const replies = (await server.visitor().get(`/api/talk/${parent.id}/replies`)).json()
    expect(replies.map(({ id }: Post) => id)).toEqual([reply.id])
    await remove(creator, reply.id)
    expect((await list(server.visitor())).some(({ id }) => id === parent.id)).toBe(false)
    const { rows } = await sql`select from posts where text like '%cake%'`.execute(server.db)
    expect(rows).toEqual([])
  })

  it('counts each player’s reaction once, also for concurrent reactions', async () => {
    const { id } = await post(creator, 'React to this one, all of you')
    const react = (visitor: Visitor, reaction: string | null) => visitor.put(`/api/talk/${id}/reaction`, { reaction })
    const others = await Promise.all(['r1', 'r2', 'r3'].map((name) => server.player(name)))
    await Promise.all(others.flatMap((visitor) => [react(visitor, 'moon'), react(visitor, 'moon')]))
    await react(others[0] ?? luna, 'fire')
    const changed = await react(others[1] ?? luna, null)
    expect([changed.json().reactions, changed.json().reaction]).toEqual([{ moon: 1, fire: 1 }, null])
  })

  it('mentions players by id, who must exist', async () => {
    const named = await post(creator, 'Thank you for the first buy', { mentions: [lunaId, lunaId] })
    expect(named.mentions).toEqual([{ id: lunaId, username: 'luna' }])
    expect((await write(creator, 'And you, whoever you are', { mentions: [99_999] })).statusCode).toBe(400)
    const hundred = Array.from({ length: 100 }, (_, index) => index + 1)
    expect((await write(creator, 'Everybody come here at once', { mentions: hundred })).statusCode).toBe(400)
  })

  it('requires a visible token and a signed-in player', async () => {
    expect((await write(server.visitor(), 'Nobody says this')).statusCode).toBe(401)
    expect((await luna.post('/api/talk', { tokenId: 4_000, text: 'Into the void' })).statusCode).toBe(404)
    expect((await luna.post('/api/talk', { text: 'About nothing' })).statusCode).toBe(400)
    expect((await luna.post('/api/talk', { tokenId, fairId: 2, text: 'About both' })).statusCode).toBe(400)
  })

  it('is rejected for a token whose court is over', async () => {
    const other = await creator.launch()
    await creator.post(`/api/tokens/${other}/rug`, {})
    server.passTime(3_600_000)
    expect(await refusal(luna.post('/api/talk', { tokenId: other, text: 'I knew it all along' }))).toEqual([
      409,
      'This token was rugged, so its discussion is closed.',
    ])
  })
})

describe('the text of a post', () => {
  it('is measured in code points, keeps emoji whole, and is not treated as markup', async () => {
    const moons = await post(luna, '🌙'.repeat(280))
    expect([...moons.text].length).toBe(280)
    expect((await post(luna, 'A family: 👨‍👩‍👧 of three')).text).toContain('👨‍👩‍👧')
    const html = '<img src=x onerror=alert(1)> **bold** and [a link](javascript:alert(1))'
    expect((await post(luna, html)).text).toBe(html)
  })
})

describe('a post is held back', () => {
  const heldFor = async (id: number) => {
    const { rows } = await sql<{ held_for: string }>`
      select held_for from cases where kind = 'post' and target_id = ${id}`.execute(server.db)
    return rows[0]?.held_for
  }

  it('if it nearly repeats the writer’s last ones, and rejected if it repeats them', async () => {
    const player = await server.player('parrot')
    await post(player, 'Buy this token now before it goes to the moon')
    expect(await refusal(write(player, 'BUY this tоken now, before it goes to the MOON!'))).toEqual([
      409,
      'You have said this already.',
    ])
    const near = await post(player, 'Buy this token now before it goes to the moon 1')
    expect([near.state, await heldFor(near.id)]).toEqual(['held', 'near-repeat'])
    // Its writer sees the held post, and others do not.
    expect((await list(player)).map(({ id }) => id)).toContain(near.id)
    expect((await list(luna)).map(({ id }) => id)).not.toContain(near.id)
    const reaction = await luna.put(`/api/talk/${near.id}/reaction`, { reaction: 'moon' })
    expect(reaction.statusCode).toBe(404)
  })

  it('except if it is a repeat: it is rejected even after its writer deleted the first one', async () => {
    const words = 'Sell this token later once it is on the moon'
    const player = await server.player('eraser')
    const { id } = await post(player, words)
    await player.raw('DELETE', `/api/talk/${id}`, '')
    expect(await refusal(write(player, words))).toEqual([409, 'You have said this already.'])
  })

  it('if two others posted the same within the hour', async () => {
    const [a, b, c] = await Promise.all(['a1', 'b1', 'c1'].map((name) => server.player(name)))
    const words = 'Guaranteed profit in the group of my uncle'
    expect((await post(a ?? luna, words)).state).toBe('shown')
    expect((await post(b ?? luna, words)).state).toBe('shown')
    expect((await post(c ?? luna, words)).state).toBe('held')
    // Common short texts may be repeated by many players.
    for (const visitor of [a, b, c]) expect((await post(visitor ?? luna, 'gm')).state).toBe('shown')
  })

  it('for words of the list, however they are disguised', async () => {
    const disguised = ['what a f u c k', 'ƒսсk all of this', 'what a fuuuuck', 'what a f̶u̶c̶k̶', 'f/u/c/k this']
    for (const text of [...disguised, 'fûck all of it', '𝓯𝓾𝓬𝓴 them', 'ꜰᴜᴄᴋ those']) {
      expect([text, (await post(await server.player(), text)).state]).toEqual([text, 'held'])
    }
    const operator = await moderator(server, 'boss', 'operator')
    const answer = await operator.mutate('admin.setWord', { word: 'moonbeam', isHeld: true })
    expect(answer.statusCode).toBe(200)
    expect((await post(creator, 'Join m00n-bеаm today for free')).state).toBe('held')
    await operator.mutate('admin.setWord', { word: 'moonbeam', isHeld: false })
    expect((await post(creator, 'Nothing about a moonbeam here')).state).toBe('shown')
  })

  it('for links to other sites in the first day of an account', async () => {
    const fresh = await server.player('fresh')
    expect((await post(fresh, 'All about it at https://example.org/moon')).state).toBe('held')
    for (const link of ['my-coin.xyz', 'evil.dev/x', 'evil．com', 'аррӏе.com', 'coin.example/win']) {
      expect([link, (await post(await server.player(), `See also ${link} for the rest`)).state]).toEqual([link, 'held'])
    }
    expect((await post(luna, 'The docs are at https://example.org/docs')).state).toBe('shown')
  })

  it('but an edit is rejected instead, and so is an edit of a held post', async () => {
    const { id } = await post(luna, 'A harmless remark about the weather')
    const edited = await luna.put(`/api/talk/${id}`, { text: 'A harmless fuck about the weather' })
    expect([edited.statusCode, edited.body]).toEqual([
      409,
      'A moderator would have to check this text, so the edit was not saved.',
    ])
    expect((await list(server.visitor())).find((shown) => shown.id === id)?.text).toContain('A harmless remark')
    const held = await post(luna, 'A fucking remark about the forecast')
    const late = await luna.put(`/api/talk/${held.id}`, { text: 'A decent remark about the forecast' })
    const sentence = 'A moderator is checking this post. To change it, delete it and write a new one.'
    expect([late.statusCode, late.body]).toEqual([409, sentence])
    await server.db.updateTable('posts').set({ state: 'hidden' }).where('id', '=', id).execute()
    expect(await refusal(luna.put(`/api/talk/${id}`, { text: 'A remark about another climate' }))).toEqual([
      409,
      'A moderator has hidden this post.',
    ])
  })
})

it('an account that is deleted meanwhile cannot post', async () => {
  const leaver = await server.player('leaver')
  const id = await ageAccount(server, leaver)
  const { writing } = await server.db.transaction().execute(async (tx) => {
    await sql`update users set deleted_at = now() where id = ${id}`.execute(tx)
    const writing = write(leaver, sayNew())
    await waitForLocked(server.db, 1)
    return { writing }
  })
  expect((await writing).statusCode).toBe(401)
})

it('two concurrent posts by one player cannot have the same text', async () => {
  const player = await server.player('twice')
  const answers = await Promise.all([1, 2, 3].map(() => write(player, 'First to say these words here')))
  expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([201, 409, 409])
})

describe('a block', () => {
  it('hides posts both ways, and prevents mentions, replies, reactions and follows', async () => {
    const a = await server.player('ada')
    const b = await server.player('bob')
    const [aId, bId] = [await ageAccount(server, a), await ageAccount(server, b)]
    const said = await post(b, 'Something that ada does not want')
    await a.put(`/api/follows/player/${bId}`, {})
    const blocked = (await a.put(`/api/blocks/${bId}`, {})).json()
    expect([blocked.players, blocked.blocked]).toEqual([[], [{ id: bId, username: 'bob', isBot: false }]])
    expect((await list(a)).map(({ id }) => id)).not.toContain(said.id)
    const own = await post(a, 'Something that bob does not get')
    expect((await list(b)).map(({ id }) => id)).not.toContain(own.id)
    const parent = await post(luna, 'A question that bob answers')
    const reply = await post(b, 'An answer that ada does not want', { parentId: parent.id })
    const readReplies = async (visitor: Visitor): Promise<Post[]> =>
      (await visitor.get(`/api/talk/${parent.id}/replies`)).json()
    expect([await readReplies(a), (await readReplies(luna)).map(({ id }) => id)]).toEqual([[], [reply.id]])
    const sentence = [403, 'One of you has blocked the other.']
    expect(await refusal(write(b, 'Hello there, dear ada', { mentions: [aId] }))).toEqual(sentence)
    expect(await refusal(write(a, 'Hello there, dear bob', { parentId: said.id }))).toEqual(sentence)
    expect(await refusal(b.put(`/api/talk/${own.id}/reaction`, { reaction: 'moon' }))).toEqual(sentence)
    expect(await refusal(b.put(`/api/follows/player/${aId}`, {}))).toEqual(sentence)
    await a.raw('DELETE', `/api/blocks/${bId}`, '')
    expect((await list(a)).map(({ id }) => id)).toContain(said.id)
  })
})
