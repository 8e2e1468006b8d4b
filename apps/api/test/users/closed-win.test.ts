import { sql } from 'kysely'
import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import { hide } from '../../src/commands/admin/moderate.ts'
import { shareTestServer, type Visitor } from '../support/test-server.ts'

const server = await shareTestServer()
const creator = await server.player('creator')
const trader = await server.player('trader')
const traderId: number = await trader.id()

const readWin = async (tokenId: number, userId = traderId) =>
  (await server.visitor().get(`/api/users/${userId}/wins/${tokenId}`)).json().win
const picture = (tokenId: number, userId = traderId) => server.visitor().get(`/og/win/${tokenId}/${userId}.png`)
const buy = (player: Visitor, tokenId: number, solAmount: string) =>
  player.post('/api/tokens/buy', { tokenId, solAmount })

async function sell(player: Visitor, tokenId: number, share: 'half' | 'all'): Promise<void> {
  const { amount } = (await player.get(`/api/tokens/${tokenId}/position`)).json()
  const tokenAmount = share === 'all' ? amount : String(Math.floor(Number(amount) / 2))
  expect((await player.post('/api/tokens/sell', { tokenId, tokenAmount })).statusCode).toBe(200)
}

/** Returns a token that the trader bought for 2 SOL before another player bought for 5. */
async function launchRising(symbol: string): Promise<number> {
  const tokenId = await creator.launch({ name: `${symbol} Moon`, symbol })
  await buy(trader, tokenId, '2')
  await buy(creator, tokenId, '5')
  return tokenId
}

describe('a closed position with a profit', () => {
  it('shows all that was paid and received, once nothing is held', async () => {
    const tokenId = await launchRising('WON')
    await sell(trader, tokenId, 'half')
    expect(await readWin(tokenId)).toBeNull()
    expect((await picture(tokenId)).statusCode).toBe(404)
    await sell(trader, tokenId, 'all')
    const win = await readWin(tokenId)
    expect(win).toMatchObject({ user: { username: 'trader' }, token: { symbol: 'WON' }, paid: '2', trades: 3 })
    expect(Number(win.profit)).toBeCloseTo(Number(win.received) - 2, 9)
    expect(Number(win.profitPercent)).toBeGreaterThan(10)
    const answer = await picture(tokenId)
    expect([answer.statusCode, answer.headers['content-type']]).toEqual([200, 'image/png'])
    const { width, height } = await sharp(answer.rawPayload).metadata()
    expect([width, height]).toEqual([1200, 630])
    const again = await server.visitor().get(`/og/win/${tokenId}/${traderId}.png?profit=9999&username=nobody`)
    expect(again.headers.etag).toBe(answer.headers.etag)
  })

  it.each([
    ['9.9', '2.198', false],
    ['10', '2.2', false],
    ['10.1', '2.202', true],
  ])('of %s percent has a card only from above 10 percent on', async (percent, received, hasCard) => {
    const tokenId = await launchRising(`P${percent.replace('.', '')}`)
    await sell(trader, tokenId, 'all')
    await sql`update trades set sol_amount = ${received}
      where token_id = ${tokenId} and user_id = ${traderId} and side = 'sell'`.execute(server.db)
    const win = await readWin(tokenId)
    expect(win === null ? null : Number(win.profitPercent)).toBe(hasCard ? Number(percent) : null)
    expect((await picture(tokenId)).statusCode).toBe(hasCard ? 200 : 404)
  })

  it('is not shown for a loss, for another or unknown player, or after it was opened again', async () => {
    const tokenId = await launchRising('AGAIN')
    await sell(trader, tokenId, 'all')
    const creatorId = await creator.id()
    expect(await readWin(tokenId, creatorId)).toBeNull()
    expect((await picture(tokenId, creatorId)).statusCode).toBe(404)
    expect((await picture(tokenId, 999_999)).statusCode).toBe(404)
    await sell(creator, tokenId, 'all')
    expect(await readWin(tokenId, creatorId)).toBeNull()
    await buy(trader, tokenId, '1')
    expect(await readWin(tokenId)).toBeNull()
  })

  it('is not shown for a hidden token or a deleted player', async () => {
    const hidden = await launchRising('HIDE')
    const kept = await launchRising('KEPT')
    for (const id of [hidden, kept]) await sell(trader, id, 'all')
    expect((await picture(hidden)).statusCode).toBe(200)
    await hide(server.database, String(hidden))
    expect((await picture(hidden)).statusCode).toBe(404)
    expect((await picture(kept)).statusCode).toBe(200)
    await sql`update users set deleted_at = now() where id = ${traderId}`.execute(server.db)
    expect((await picture(kept)).statusCode).toBe(404)
  })
})

describe('a closed position', () => {
  const readClosed = async (tokenId: number, userId = traderId) =>
    (await server.visitor().get(`/api/users/${userId}/closed/${tokenId}`)).json().position
  const closedPicture = (tokenId: number) => server.visitor().get(`/og/closed/${tokenId}/${traderId}.png`)

  it('with a loss also has figures and a picture', async () => {
    const player = await server.player('loser')
    const playerId = await player.id()
    const tokenId = await creator.launch({ name: 'Lost Moon', symbol: 'LOST' })
    await buy(player, tokenId, '2')
    expect(await readClosed(tokenId, playerId)).toBeNull()
    await sell(player, tokenId, 'all')
    const { profit, isRugged } = await readClosed(tokenId, playerId)
    expect([Number(profit) < 0, isRugged]).toEqual([true, false])
    expect(await readWin(tokenId, playerId)).toBeNull()
    expect((await server.visitor().get(`/og/closed/${tokenId}/${playerId}.png`)).statusCode).toBe(200)
  })

  it('by a rug pull lost the cost of everything that was not sold before', async () => {
    await sql`update users set deleted_at = null where id = ${traderId}`.execute(server.db)
    const tokenId = await creator.launch({ name: 'Rug Moon', symbol: 'RUGM' })
    await buy(trader, tokenId, '2')
    expect((await closedPicture(tokenId)).statusCode).toBe(404)
    expect((await creator.post(`/api/tokens/${tokenId}/rug`, {})).statusCode).toBe(200)
    expect(await readClosed(tokenId)).toMatchObject({ profitPercent: '-100', isRugged: true })
    expect((await closedPicture(tokenId)).statusCode).toBe(200)
  })
})

it('a sticker has a picture only for the player who earned it', async () => {
  const userId = await creator.id()
  const address = (sticker: string) => `/og/sticker/${sticker}/${userId}.png`
  await sql`insert into stickers (user_id, sticker, at) values (${userId}, 'gold', now()) on conflict do nothing`.execute(
    server.db,
  )
  const answer = await server.visitor().get(address('gold'))
  expect([answer.statusCode, answer.headers['content-type']]).toEqual([200, 'image/png'])
  for (const sticker of ['tenfold', 'none']) expect((await server.visitor().get(address(sticker))).statusCode).toBe(404)
})
