import {
  type BotOrder,
  CHARACTERS,
  type Deed,
  LINES,
  listLines,
  STORIES,
  STRATEGIES,
  type Strategies,
  type Strategy,
} from '@papermoon/bots'
import { writeInput } from '@papermoon/contract/talk'
import type { MarketEvent, TokenId, UserId } from '@papermoon/engine'
import { sql } from 'kysely'
import { afterEach, describe, expect, it } from 'vitest'
import { hasForeignLink, hasHeldWord, isNear, isShort, toSkeleton } from '../../src/features/talk/check-post.ts'
import { writePost } from '../../src/features/talk/write-post.ts'
import { toOrder } from '../../src/house/bot-orders.ts'
import { BotTalk, type Talker, type WriteLine } from '../../src/house/bot-talk.ts'
import { createHouseBots } from '../../src/house/create-house-bots.ts'
import { WorkingBots } from '../../src/house/working-bots.ts'
import { shareTestServer } from '../support/test-server.ts'

const SOON = { timeout: 120_000, interval: 50 }
const ALWAYS = { launch: 1, bigBuy: 1, soldUp: 1, soldDown: 1, sawLaunch: 1, sawRise: 1, sawFall: 1 }

const server = await shareTestServer()
const { app } = server
const write: WriteLine = (userId, tokenId, text) =>
  writePost({ app, ip: '', header: () => {}, userId }, { tokenId, text, mentions: [] })
const talk = new BotTalk(app, write, ALWAYS)
const botIds = (await createHouseBots(server.db, CHARACTERS, { at: new Date() })).map(({ userId }) => userId)
const player = await server.player()
afterEach(async () => {
  await server.db.deleteFrom('posts').execute()
})

const bot = (n: number): UserId => botIds[n] ?? (0 as UserId)
interface Shown {
  readonly text: string
  readonly parentId: number | null
  readonly mentions: readonly unknown[]
  readonly writer: { readonly id: number; readonly isBot: boolean; readonly isCreator: boolean }
}
const listPosts = async (tokenId: number): Promise<Shown[]> => (await player.get(`/api/talk?tokenId=${tokenId}`)).json()
const sayers = async (tokenId: number) => (await listPosts(tokenId)).map(({ writer }) => writer.id)
const passHours = (hours: number) =>
  sql`update posts set created_at = created_at - make_interval(hours => ${hours})`.execute(server.db)

const toTalker = (userId: UserId): Talker => ({
  userId,
  strategy: CHARACTERS[botIds.indexOf(userId)]?.strategy ?? 'whale',
})
/** Returns whether the text is one of the lines that this bot may post about `deed`. */
const mayPost = (userId: UserId, deed: Deed, text: string | undefined) =>
  listLines(deed, toTalker(userId).strategy)
    .flat()
    .includes(text ?? '')

type Act = Partial<BotOrder> & { readonly cost?: number }

/** Places an order of a bot, and then lets the bot post about it. */
async function act(userId: UserId, { cost, ...order }: Act): Promise<TokenId> {
  const placed = toOrder({ userId, minTokensOut: 0, minSolOut: 0, ...order } as unknown as BotOrder)
  const receipt = await server.app.market.engine.submit({ ...placed, isBot: true })
  await talk.tell(toTalker(userId), receipt, cost)
  return 'trade' in receipt ? receipt.trade.tokenId : receipt.tokenId
}
const launch = async (userId: UserId) => {
  const [story] = STORIES
  return await act(userId, { kind: 'launch', story, initialBuy: 0 } as Act)
}
const buy = (userId: UserId, tokenId: TokenId, sol: number) => act(userId, { kind: 'buy', tokenId, sol } as Act)
async function sellAll(userId: UserId, tokenId: TokenId, cost?: number): Promise<void> {
  const { amount } = await server.db
    .selectFrom('holdings')
    .select('amount')
    .where('user_id', '=', userId)
    .where('token_id', '=', tokenId)
    .executeTakeFirstOrThrow()
  await act(userId, { kind: 'sell', tokenId, tokens: Number(amount), ...(cost !== undefined && { cost }) } as Act)
}

describe('the lines of the house bots', () => {
  it('pass every check of posts, and none repeats another', () => {
    for (const [at, line] of LINES.entries()) {
      expect(writeInput.parse({ tokenId: 1, text: line }).text).toBe(line)
      expect([line, hasHeldWord(line, []), hasForeignLink(line, null), isShort(line)]).toEqual([
        line,
        false,
        false,
        false,
      ])
      for (const other of LINES.slice(at + 1)) expect([line, other, isNear(line, other)]).toEqual([line, other, false])
    }
    expect(new Set(LINES.map(toSkeleton)).size).toBe(LINES.length)
  })
})

describe('a house bot', () => {
  it('posts a line of its character about a launch, a big buy or its last sale, marked as a bot and not as a reply', async () => {
    const tokenId = await launch(bot(0))
    await passHours(2)
    await buy(bot(1), tokenId, 2.5)
    await passHours(2)
    await sellAll(bot(1), tokenId, 2.5)
    await passHours(2)
    await buy(bot(2), tokenId, 1)
    await sellAll(bot(2), tokenId, 0.1)
    const said: [Deed, UserId][] = [
      ['soldUp', bot(2)],
      ['soldDown', bot(1)],
      ['bigBuy', bot(1)],
      ['launch', bot(0)],
    ]
    const posts = await listPosts(tokenId)
    expect(posts.map(({ writer }) => writer.id)).toEqual(said.map(([, id]) => id))
    for (const [at, [deed, id]] of said.entries())
      expect([deed, posts[at]?.text, mayPost(id, deed, posts[at]?.text)]).toEqual([deed, posts[at]?.text, true])
    for (const post of posts) expect(post).toMatchObject({ parentId: null, mentions: [], writer: { isBot: true } })
  })

  it('does not post about small orders or partial sales, and house bots post two lines about a token per hour', async () => {
    const tokenId = await launch(bot(0))
    await buy(bot(1), tokenId, 3)
    await buy(bot(2), tokenId, 3)
    expect(await sayers(tokenId)).toEqual([bot(1), bot(0)])
    await passHours(2)
    await buy(bot(2), tokenId, 0.5)
    await act(bot(1), { kind: 'sell', tokenId, tokens: 30_000_000 } as Act)
    expect(await sayers(tokenId)).toEqual([bot(1), bot(0)])
    await sellAll(bot(1), tokenId)
    expect(await sayers(tokenId)).toEqual([bot(1), bot(1), bot(0)])
  })

  it('posts at most six lines a day, even if many orders are filled at once', async () => {
    const tokens = await Promise.all([3, 4, 5, 6, 7, 9, 10, 11].map((n) => launch(bot(n))))
    await passHours(2)
    await Promise.all(tokens.map((tokenId) => buy(bot(8), tokenId, 2)))
    const writers = (await Promise.all(tokens.map(sayers))).flat()
    expect(writers.filter((id) => id === bot(8))).toHaveLength(6)
    await passHours(24)
    await buy(bot(8), tokens[0] as TokenId, 2)
    expect(await sayers(tokens[0] as TokenId)).toContain(bot(8))
  })

  it('posts a line about other players’ events: a launch, a large buy, a large sale', async () => {
    const tokenId = (await player.launch()) as TokenId
    const see = (event: object) => talk.see(event as MarketEvent, async () => toTalker(bot(12)))
    const trade = (side: string, solAmount: string) => ({ type: 'trade', tokenId, trade: { side, solAmount } })
    await see({ type: 'token_launched', tokenId })
    await see(trade('buy', '1'))
    await passHours(2)
    await see(trade('buy', '5'))
    await passHours(2)
    await see(trade('sell', '5'))
    const texts = (await listPosts(tokenId)).map(({ text }) => text)
    expect(texts).toHaveLength(3)
    const deeds = ['sawFall', 'sawRise', 'sawLaunch'] as const
    for (const [at, deed] of deeds.entries()) expect([deed, mayPost(bot(12), deed, texts[at])]).toEqual([deed, true])
  })

  it('notifies no creator, and leaves the first post to a person', async () => {
    const creator = await server.player()
    const tokenId = (await creator.launch()) as TokenId
    await talk.see({ type: 'token_launched', tokenId } as MarketEvent, async () => toTalker(bot(14)))
    expect(await listPosts(tokenId)).toHaveLength(1)
    const readNews = async () =>
      (await creator.get('/api/notices')).json().news.map(({ kind }: { kind: string }) => kind)
    expect(await readNews()).not.toContain('post')
    await player.post('/api/talk', { tokenId, text: 'What a lovely lantern' })
    expect(await readNews()).toContain('post')
  })

  it('does not post in a rug court', async () => {
    const tokenId = (await player.launch()) as TokenId
    await act(bot(13), { kind: 'buy', tokenId, sol: 1 } as Act)
    await player.post(`/api/tokens/${tokenId}/rug`, {})
    await talk.see({ type: 'token_launched', tokenId } as MarketEvent, async () => toTalker(bot(13)))
    expect(await listPosts(tokenId)).toEqual([])
  })

  it('repeats no line posted by anyone in six hours, or by itself today, and posts nothing if no line is left', async () => {
    const { id: playerId } = (await player.get('/api/auth/user')).json()
    const [last = '', ...others] = listLines('launch', toTalker(bot(9)).strategy).flat()
    const say = (text: string, userId = playerId) =>
      sql`insert into posts (topic, user_id, text, skeleton, created_at)
        values (1, ${userId}, ${text}, ${toSkeleton(text)}, now())`.execute(server.db)
    for (const line of others) await say(line)
    const tokenId = await launch(bot(9))
    expect((await listPosts(tokenId)).map(({ text }) => text)).toEqual([last])
    expect(await listPosts(await launch(bot(9)))).toEqual([])
    await sql`update posts set created_at = now() - interval '7 hours' where text = ${last}`.execute(server.db)
    expect(await listPosts(await launch(bot(9)))).toEqual([])
    await passHours(7)
    expect(await listPosts(await launch(bot(9)))).toHaveLength(1)
  })

  it('continues to trade while it is muted', async () => {
    await sql`insert into mutes (user_id, until) values (${bot(11)}, now() + interval '1 hour')`.execute(server.db)
    const tokenId = await launch(bot(11))
    await buy(bot(11), tokenId, 2)
    expect(await listPosts(tokenId)).toEqual([])
    expect(server.logs.filter(({ msg }) => msg === 'a bot could not talk')).toEqual([])
  })
})

it('the running bots post about their orders, and only lines of the house', async () => {
  await player.launch()
  const launches: Strategy = ({ story }) => ({ kind: 'launch', story, initialBuy: 0 })
  const strategies: Strategies = Object.fromEntries(Object.keys(STRATEGIES).map((name) => [name, launches]))
  const bots = new WorkingBots(server.app, { looksPerSecond: 20, strategies, talk })
  bots.keepWorking()
  const read = async () => await server.db.selectFrom('posts').selectAll().execute()
  try {
    await expect.poll(async () => (await read()).length, SOON).toBeGreaterThan(1)
  } finally {
    await bots.stop()
  }
  for (const post of await read()) {
    expect(LINES).toContain(post.text)
    expect(post).toMatchObject({ parent_id: null, mentions: [], state: 'shown' })
    expect(botIds).toContain(post.user_id)
  }
})
