import { createHash } from 'node:crypto'
import type { Court, Verdict } from '@papermoon/contract/talk'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { readScoundrels, readTokenStarts } from '../../src/house/market-start.ts'
import { changeFair, makeRoom } from '../support/fairs.ts'
import { ageAccount } from '../support/moderators.ts'
import { shareTestServer, type Visitor } from '../support/test-server.ts'

const HOUR_MS = 3_600_000
const CLOSED = [409, 'This token was rugged, so its discussion is closed.']

const server = await shareTestServer()
const losers: Visitor[] = []
for (let n = 0; n < 6; n++) losers.push(await createOld(`loser${n}`))

async function createOld(name: string): Promise<Visitor> {
  const player = await server.player(name)
  await ageAccount(server, player)
  return player
}

/** Launches and rugs a token after each player bought it for this much SOL. */
async function pull(creator: Visitor, bags: readonly (readonly [Visitor, string])[] = []): Promise<number> {
  const tokenId = await creator.launch()
  for (const [loser, sol] of bags) await loser.buy(tokenId, sol)
  await creator.post(`/api/tokens/${tokenId}/rug`, {})
  return tokenId
}
const bagsOf = (sols: readonly string[]) => sols.map((sol, n) => [losers[n] as Visitor, sol] as const)
const read = async (visitor: Visitor, id: number): Promise<Court> =>
  (await visitor.get(`/api/tokens/${id}/court`)).json()
const vote = (visitor: Visitor, id: number, verdict: Verdict | string) =>
  visitor.put(`/api/tokens/${id}/court/vote`, { verdict })
const say = (visitor: Visitor, tokenId: number, text: string, more: object = {}) =>
  visitor.post('/api/talk', { tokenId, text, ...more })
const refusal = async (answer: ReturnType<typeof say>) => {
  const { statusCode, body } = await answer
  return [statusCode, body]
}
const record = async (id: number) => (await server.visitor().get(`/api/users/${id}/launch-record`)).json()

// This test comes first, because a room ends by the machine's clock, and the other tests move the server's clock ahead.
describe('the court of a room', () => {
  it('is open to its members, uses the room’s ledger, and does not count in the creator’s record', async () => {
    const [host, member] = [await createOld('room-host'), await createOld('room-member')]
    const room = await makeRoom(host, [member], { rugs: true })
    await changeFair(host, room.id, { act: 'start' })
    const tokenId = (
      await host.post('/api/tokens/launch', { name: 'Room moon', symbol: 'ROOM', fairId: room.id })
    ).json().id
    await member.buy(tokenId, '2')
    expect(await refusal(host.post(`/api/tokens/${tokenId}/rug`, {}))).toEqual([200, expect.any(String)])
    expect((await vote(member, tokenId, 'scoundrel')).json()).toMatchObject({ voters: 1, lost: '2', scoundrel: '2' })
    expect((await say(member, tokenId, 'Even among friends')).json()).toMatchObject({ lost: '2' })
    const [stranger] = losers as [Visitor]
    expect((await stranger.get(`/api/tokens/${tokenId}/court`)).statusCode).toBe(404)
    expect((await vote(stranger, tokenId, 'scoundrel')).statusCode).toBe(404)
    expect(await record(await host.id())).toMatchObject({ launched: 0, scoundrel: 0 })
  })
})

describe('a testimony', () => {
  it('is shown with the SOL its author lost, once per player, and the creator can answer once', async () => {
    const creator = await createOld('answering')
    const [luna, sold, guest] = [await createOld('luna'), await createOld('sold-all'), await createOld('bystander')]
    const tokenId = await creator.launch({ initialBuyAmount: '1' })
    const before = await say(luna, tokenId, 'A promising moon, they said')
    await luna.buy(tokenId, '2')
    const { tokensOut } = await sold.buy(tokenId, '1')
    await sold.sell(tokenId, tokensOut)
    await creator.post(`/api/tokens/${tokenId}/rug`, {})
    const told = await say(luna, tokenId, 'I trusted that moon with two SOL')
    expect([told.statusCode, told.json().lost, before.json().lost]).toEqual([201, '2', undefined])
    const answer = await say(creator, tokenId, 'The moon was made of paper')
    expect([answer.statusCode, answer.json().lost, answer.json().writer.isCreator]).toEqual([201, undefined, true])
    for (const visitor of [luna, creator]) {
      expect(await refusal(say(visitor, tokenId, 'And another thing, your honour'))).toEqual([
        409,
        'You have already posted here. Everyone posts once.',
      ])
    }
    for (const visitor of [sold, guest]) {
      expect(await refusal(say(visitor, tokenId, 'I have something to add here'))).toEqual([
        409,
        'Only players who lost SOL in this token, and its creator, can post here.',
      ])
    }
    const posts = (await server.visitor().get(`/api/talk?tokenId=${tokenId}`)).json()
    expect(posts.map(({ lost }: { lost?: string }) => lost)).toEqual([undefined, '2', undefined])
  })

  it('is limited to one, also for two concurrent posts and after the first was deleted', async () => {
    const tokenId = await pull(await createOld('twice'), bagsOf(['1']))
    const [loser] = losers as [Visitor]
    const both = await Promise.all(
      ['My savings are gone', 'The paper moon fell on me'].map((text) => say(loser, tokenId, text)),
    )
    expect(both.map(({ statusCode }) => statusCode).sort()).toEqual([201, 409])
    const written = both.find(({ statusCode }) => statusCode === 201)
    await loser.raw('DELETE', `/api/talk/${written?.json().id}`, '')
    expect((await say(loser, tokenId, 'Let me put it otherwise')).statusCode).toBe(409)
  })

  it('has at most 140 characters, even when edited, and no replies', async () => {
    const creator = await createOld('lengthy')
    const tokenId = await pull(creator, bagsOf(['1']))
    const [loser] = losers as [Visitor]
    const long = [409, 'A statement has at most 140 characters.']
    expect(await refusal(say(loser, tokenId, '🌙'.repeat(141)))).toEqual(long)
    const told = await say(loser, tokenId, '🌚'.repeat(140))
    expect(told.statusCode).toBe(201)
    const { id } = told.json()
    const edit = (text: string) => loser.put(`/api/talk/${id}`, { text })
    expect(await refusal(edit('🌝'.repeat(141)))).toEqual(long)
    expect((await edit('What I meant is this')).statusCode).toBe(200)
    expect(await refusal(say(creator, tokenId, 'I reply to you alone', { parentId: id }))).toEqual(CLOSED)
  })

  it('cannot be a post from before the rug pull, and cannot be written after an hour', async () => {
    const creator = await createOld('hourly')
    const [loser, late] = losers as [Visitor, Visitor]
    const tokenId = await creator.launch()
    await loser.buy(tokenId, '1')
    await late.buy(tokenId, '1')
    const { id } = (await say(loser, tokenId, 'To the moon with this one')).json()
    await creator.post(`/api/tokens/${tokenId}/rug`, {})
    const edited = loser.put(`/api/talk/${id}`, { text: 'I said so before' })
    expect(await refusal(edited)).toEqual(CLOSED)
    expect((await say(loser, tokenId, 'Never to the moon again')).statusCode).toBe(201)
    server.passTime(HOUR_MS)
    expect(await refusal(say(late, tokenId, 'I come too late for this'))).toEqual(CLOSED)
  })

  it('is rejected from bots and muted players, and is checked like every post', async () => {
    const [bot, muted, plain] = [await createOld('machine'), await createOld('muted'), await createOld('linked')]
    const tokenId = await pull(await createOld('checked'), [
      [bot, '1'],
      [muted, '1'],
      [plain, '1'],
    ])
    await sql`update users set kind = 'bot' where id = ${await bot.id()}`.execute(server.db)
    expect(await refusal(say(bot, tokenId, 'Beep boop, my coins'))).toEqual([409, 'Bots cannot post a statement.'])
    const until = new Date(server.app.platform.clock.now().getTime() + HOUR_MS)
    await sql`insert into mutes (user_id, until) values (${await muted.id()}, ${until})`.execute(server.db)
    expect((await say(muted, tokenId, 'I will not be silent')).statusCode).toBe(403)
    await sql`insert into held_words (word, created_at) values ('paperswindle', now())`.execute(server.db)
    const held = await say(plain, tokenId, 'What a paperswindle this was')
    expect([held.statusCode, held.json().state, held.json().lost]).toEqual([201, 'held', '1'])
  })
})

describe('a vote', () => {
  it('weighs the SOL that was lost, at most 5, can change, and counts once, also for concurrent calls', async () => {
    const [small, large] = losers as [Visitor, Visitor]
    const tokenId = await pull(await createOld('weighed'), bagsOf(['0.5', '9']))
    expect(await read(small, tokenId)).toMatchObject({ lost: '0.5', canVote: true, vote: null, voters: 0 })
    await Promise.all([vote(large, tokenId, 'scoundrel'), vote(large, tokenId, 'scoundrel')])
    await vote(small, tokenId, 'scoundrel')
    const changed = await vote(small, tokenId, 'fair game')
    expect(changed.json()).toMatchObject({
      voters: 2,
      fairGame: '0.5',
      scoundrel: '5',
      verdict: null,
      lost: '0.5',
      vote: 'fair game',
    })
    expect(await read(server.visitor(), tokenId)).toMatchObject({ voters: 2, lost: null, canVote: false, vote: null })
    expect((await vote(small, tokenId, 'hang them')).statusCode).toBe(400)
  })

  it.each<[string, (voter: Visitor, creator: Visitor) => Promise<unknown>, number, string]>([
    [
      'a bot',
      async (voter) => sql`update users set kind = 'bot' where id = ${await voter.id()}`.execute(server.db),
      409,
      'Bots cannot vote.',
    ],
    [
      'an account of the first day',
      async (voter) => {
        const youngest = new Date(server.app.platform.clock.now().getTime() - 24 * HOUR_MS + 60_000)
        await sql`update users set created_at = ${youngest} where id = ${await voter.id()}`.execute(server.db)
      },
      409,
      'Only accounts older than a day can vote.',
    ],
    [
      'an account that shares a browser with the creator',
      async (voter, creator) => {
        const browser_hash = createHash('sha256').update(crypto.randomUUID()).digest()
        const seen = { browser_hash, first_seen_at: new Date(), last_seen_at: new Date() }
        const ids = [await voter.id(), await creator.id()]
        await server.db
          .insertInto('account_browsers')
          .values(ids.map((user_id) => ({ user_id, ...seen })))
          .execute()
      },
      409,
      'Accounts that share a browser with the creator cannot vote.',
    ],
    [
      'a suspended player',
      async (voter) => sql`update users set standing = 'suspended' where id = ${await voter.id()}`.execute(server.db),
      403,
      'Your account is suspended. You can sell what you hold, but you cannot buy, launch or rug.',
    ],
  ])('is not had by %s', async (what, change, status, sentence) => {
    const name = what.replaceAll(/\W/g, '').slice(0, 14)
    const [voter, creator] = [await createOld(`v${name}`), await createOld(`c${name}`)]
    const tokenId = await pull(creator, [[voter, '1']])
    expect((await read(voter, tokenId)).canVote).toBe(true)
    await change(voter, creator)
    await expect.poll(() => refusal(vote(voter, tokenId, 'scoundrel'))).toEqual([status, sentence])
    expect((await read(server.visitor(), tokenId)).voters).toBe(0)
  })

  it('cannot be cast by the creator, by players who lost nothing, or about a token that is open or unknown', async () => {
    const creator = await createOld('self-judge')
    const open = await creator.launch({ initialBuyAmount: '1' })
    expect(await refusal(vote(creator, open, 'fair game'))).toEqual([404, 'This token was not rugged.'])
    expect(await refusal(server.visitor().get(`/api/tokens/${open}/court`))).toEqual([
      404,
      'This token was not rugged.',
    ])
    expect((await vote(creator, 4_000, 'fair game')).statusCode).toBe(404)
    await creator.post(`/api/tokens/${open}/rug`, {})
    for (const visitor of [creator, await createOld('uninvolved')]) {
      expect(await refusal(vote(visitor, open, 'fair game'))).toEqual([
        409,
        'Only players who lost SOL in this token can vote.',
      ])
    }
    expect((await vote(server.visitor(), open, 'fair game')).statusCode).toBe(401)
  })

  it('counts until the end of the hour, but not after it', async () => {
    const [loser, late] = losers as [Visitor, Visitor]
    const tokenId = await pull(await createOld('punctual'), bagsOf(['1', '1']))
    const endsMs = Date.parse((await read(loser, tokenId)).endsAt)
    server.passTime(endsMs - server.app.platform.clock.now().getTime() - 30_000)
    expect((await vote(loser, tokenId, 'scoundrel')).statusCode).toBe(200)
    server.passTime(30_000)
    expect(await refusal(vote(late, tokenId, 'scoundrel'))).toEqual(CLOSED)
    expect(await refusal(vote(loser, tokenId, 'fair game'))).toEqual(CLOSED)
    expect(await read(late, tokenId)).toMatchObject({ voters: 1, scoundrel: '1', fairGame: '0', canVote: false })
  })
})

describe('a verdict', () => {
  /** Lets up to five players vote `scoundrel`, except the last one, who votes `last`. Then the hour passes. */
  async function judge(creator: Visitor, sols: readonly string[], last: Verdict = 'scoundrel'): Promise<number> {
    const tokenId = await pull(creator, bagsOf(sols))
    for (const [n, [voter]] of bagsOf(sols).entries()) {
      expect((await vote(voter, tokenId, n === sols.length - 1 ? last : 'scoundrel')).statusCode).toBe(200)
    }
    expect((await read(creator, tokenId)).verdict).toBeNull()
    server.passTime(HOUR_MS)
    return tokenId
  }

  it('needs five voters and a majority by weight, and is on the creator’s record', async () => {
    const creator = await createOld('judged')
    const id = await creator.id()
    const few = await judge(creator, ['1', '1', '1', '1'])
    expect(await read(creator, few)).toMatchObject({ voters: 4, verdict: null })
    const tie = await judge(creator, ['0.5', '0.5', '0.5', '0.5', '2'], 'fair game')
    expect(await read(creator, tie)).toMatchObject({ voters: 5, verdict: null })
    expect(await record(id)).toMatchObject({ rugged: 2, fairGame: 0, scoundrel: 0 })
    const guilty = await judge(creator, ['1', '1', '1', '1', '3'], 'fair game')
    const saved = await judge(creator, ['0.1', '0.1', '0.1', '0.1', '3'], 'fair game')
    expect((await read(creator, guilty)).verdict).toBe('scoundrel')
    expect((await read(creator, saved)).verdict).toBe('fair game')
    server.passTime(HOUR_MS)
    expect(await record(id)).toMatchObject({ rugged: 4, fairGame: 1, scoundrel: 1 })
  })

  it('ignores votes of accounts that were frozen since, and lowers what house bots risk', async () => {
    const creator = await createOld('distrusted')
    const id = await creator.id()
    const from = server.app.platform.clock.now()
    const tokenId = await judge(creator, ['1', '1', '1', '1', '1'])
    const until = server.app.platform.clock.now()
    const next = await creator.launch()
    const rugsOf = async () => {
      const market = { db: server.db, fairId: null, speed: 1 }
      return (await readTokenStarts(market, [next]))[0]?.creatorRugs
    }
    expect(await readScoundrels(server.db, from, until)).toEqual([id])
    expect(await readScoundrels(server.db, until, new Date(until.getTime() + HOUR_MS))).toEqual([])
    expect(await rugsOf()).toBe(2)
    const voter = await (losers[0] as Visitor).id()
    await sql`update users set standing = 'frozen' where id = ${voter}`.execute(server.db)
    expect(await read(creator, tokenId)).toMatchObject({ voters: 4, verdict: null })
    expect([await readScoundrels(server.db, from, until), await rugsOf()]).toEqual([[], 1])
    await sql`update users set standing = 'active' where id = ${voter}`.execute(server.db)
  })
})
