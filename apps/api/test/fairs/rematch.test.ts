import { sql } from 'kysely'
import { beforeEach, describe, expect, it } from 'vitest'
import { becomes, changeFair, makeRoom, openRoom, playFair, type Room } from '../support/fairs.ts'
import { shareTestServer, type Visitor } from '../support/test-server.ts'

const server = await shareTestServer()
const stranger = await server.player('stranger')
let host: Visitor
let guest: Visitor
// Each test gets new players, because a player can host at most three rooms.
beforeEach(async () => {
  host = await server.player()
  guest = await server.player()
})

/** Creates a room of `host` and other players, and plays it to its end. */
async function endRoom(players: readonly Visitor[], settings: object = {}): Promise<Room> {
  const room = await makeRoom(host, players, settings)
  await playFair(server, host, room.id)
  return room
}

const askForRematch = (player: Visitor, id: number) => player.post(`/api/fairs/${id}/rematch`, {})
const readFair = async (player: Visitor, id: number) => (await player.get(`/api/fairs/${id}`)).json()
const readNews = async (player: Visitor, wanted: 'rematchId' | 'fair') => {
  const { news } = (await player.get('/api/notices')).json()
  return news.filter((notice: Record<string, unknown>) => notice.kind === 'mention' && notice[wanted] !== null)
}
const readInvitations = (player: Visitor) => readNews(player, 'rematchId')

describe('the rematch of a room', () => {
  it('has the same settings, is hosted by the first player who asks, and enters that player', async () => {
    const settings = { name: 'Class', minutes: 45, stake: '250', rugs: true, lateEntry: false, depth: false }
    const { id } = await endRoom([guest], settings)
    const answer = await askForRematch(guest, id)
    expect([answer.statusCode, answer.body]).toEqual([201, answer.body])
    const { fair, invite } = answer.json()
    const { minutes, ...same } = settings
    expect(fair).toMatchObject({ ...same, kind: 'room', state: 'lobby', entrants: 1, everyoneRanks: true })
    expect(Date.parse(fair.endsAt) - Date.parse(fair.startsAt)).toBe(minutes * 60_000)
    expect(fair.me).toMatchObject({ balance: '250', isHost: true })
    expect((await stranger.post(`/api/fairs/${fair.id}/enter`, { invite })).statusCode).toBe(200)
  })

  it('is named after its own host if the room was named after its host', async () => {
    const [was, is] = await Promise.all(
      [host, guest].map(async (it) => (await it.get('/api/auth/user')).json().username),
    )
    const { id } = await endRoom([guest], { name: `${was}’s room` })
    expect((await askForRematch(guest, id)).json().fair.name).toBe(`${is}’s room`)
  })

  it('continues a series, in which wins are counted', async () => {
    const win = async (winner: Visitor, loser: Visitor, id: number) => {
      await changeFair(host, id, { act: 'start' })
      const { id: tokenId } = (
        await winner.post('/api/tokens/launch', { name: 'Series', symbol: 'SER', fairId: id, initialBuyAmount: '10' })
      ).json()
      const { position } = await loser.buy(tokenId, '50')
      await winner.post('/api/tokens/sell', { tokenId, tokenAmount: '100000000' })
      await loser.post('/api/tokens/sell', { tokenId, tokenAmount: position.amount })
      await changeFair(host, id, { act: 'end' })
      await becomes(server, host, id, { state: 'settled' })
      return (await loser.get(`/api/fairs/${id}/story`)).json().series
    }
    const { id } = await makeRoom(host, [guest])
    expect(await win(guest, host, id)).toBeNull()
    const { fair } = (await askForRematch(host, id)).json()
    await askForRematch(guest, id)
    const { games, players } = await win(host, guest, fair.id)
    expect([games, players.map(({ wins }: { wins: number }) => wins)]).toEqual([2, [1, 1]])
    expect(new Set(players.map((player: { id: number }) => player.id))).toEqual(
      new Set([await host.id(), await guest.id()]),
    )
  })

  it('is created once: players who ask later enter the same room', async () => {
    const { id } = await endRoom([guest])
    const answers = await Promise.all([host, guest, host].map((player) => askForRematch(player, id)))
    const rematches = new Set(answers.map((answer) => answer.json().fair.id))
    expect(rematches.size).toBe(1)
    const [rematch = 0] = rematches
    expect((await readFair(guest, rematch)).me).toMatchObject({ balance: '100' })
    expect((await readFair(host, rematch)).entrants).toBe(2)
    expect(answers.filter((answer) => answer.json().invite !== null)).toHaveLength(1)
  })

  it('lets in each player whom it notifies, but not strangers or players who left', async () => {
    const gone = await server.player()
    const { id } = await openRoom(host, [guest, gone])
    await gone.post(`/api/fairs/${id}/leave`, {})
    await playFair(server, host, id)
    // All players in the lobby get a notice of the start, and those who stayed get one of their results. Nobody traded,
    // so nobody has a rank.
    const started = { fair: { id, name: 'Friday evening' }, rank: null, sol: null }
    expect(await readNews(guest, 'fair')).toMatchObject([{ ...started, sol: '100' }, started])
    expect(await readNews(gone, 'fair')).toEqual([])
    const { fair } = (await askForRematch(host, id)).json()
    await askForRematch(host, id)
    const username = (await host.get('/api/auth/user')).json().username
    expect(await readInvitations(guest)).toMatchObject([{ times: 1, actor: { username }, rematchId: fair.id }])
    for (const other of [host, gone, stranger]) expect(await readInvitations(other)).toEqual([])
    expect((await readFair(guest, fair.id)).me).toBeNull()
    expect((await guest.post(`/api/fairs/${fair.id}/enter`, {})).statusCode).toBe(200)
    for (const other of [gone, stranger]) {
      expect((await other.get(`/api/fairs/${fair.id}`)).statusCode).toBe(404)
      expect((await other.post(`/api/fairs/${fair.id}/enter`, {})).statusCode).toBe(404)
      expect((await askForRematch(other, id)).statusCode).toBe(404)
    }
    const { id: guestId } = (await guest.get('/api/auth/user')).json()
    await host.raw('DELETE', `/api/fairs/${fair.id}/entrants/${guestId}`, '')
    expect((await guest.get(`/api/fairs/${fair.id}`)).statusCode).toBe(404)
  })

  it('is possible after the end, for rooms only, and if the player can host another room', async () => {
    const { id } = await makeRoom(host, [guest])
    const early = await askForRematch(guest, id)
    expect([early.statusCode, early.body]).toEqual([409, 'This room has not ended yet.'])
    await playFair(server, host, id)
    for (let n = 0; n < 3; n++) await makeRoom(guest)
    expect((await askForRematch(guest, id)).statusCode).toBe(422)
    expect((await askForRematch(host, id)).statusCode).toBe(201)
    const cup = (await host.post('/api/fairs', { kind: 'cup', name: 'For programs' })).json().fair
    expect((await askForRematch(host, cup.id)).body).toBe('Only a room can have a rematch.')
  })

  it('keeps its bots even for a new account, and allows launches again', async () => {
    const { id } = await endRoom([guest])
    await sql`update fairs set bots = 4, house_tokens = 2, launches = 'nobody' where id = ${id}`.execute(server.db)
    const { fair } = (await askForRematch(guest, id)).json()
    expect(fair.launches).toBe('all')
    const { rows } = await sql`select bots from fairs where id = ${fair.id}`.execute(server.db)
    expect(rows).toEqual([{ bots: 4 }])
  })

  it('can be created again if it ended before it started', async () => {
    const { id } = await endRoom([guest])
    const first = (await askForRematch(guest, id)).json().fair
    await changeFair(guest, first.id, { act: 'end' })
    const second = (await askForRematch(host, id)).json().fair
    expect(second.id).not.toBe(first.id)
    expect(second.state).toBe('lobby')
  })
})
