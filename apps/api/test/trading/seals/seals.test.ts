import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { auditMarket } from '../../../src/features/audit/audit-market.ts'
import { openSocket, shareTestServer, type Visitor } from '../../support/test-server.ts'

const server = await shareTestServer()
const url = `http://127.0.0.1:${await server.listen()}`

const seal = (player: Visitor, id: number, term: string, bag = false) =>
  player.post(`/api/tokens/${id}/seal`, { term, bag })
/** Moves the end of a token's seals to `ms` from now, as if time had passed. */
async function moveEnd(id: number, ms: number): Promise<void> {
  const until = new Date(Date.now() + ms)
  await sql`update seals set until = ${until}, bag_until = null, created_at = ${new Date(until.getTime() - 86_400_000)}
    where token_id = ${id}`.execute(server.db)
  await sql`update pools set sealed_until = ${until}, bag_sealed_until = null where token_id = ${id}`.execute(server.db)
}

describe('a sealed token', () => {
  it('shows its seal in every response at once, and cannot be rugged', async () => {
    const creator = await server.player()
    const id = await creator.launch({ initialBuyAmount: '1' })
    expect((await creator.get(`/api/tokens/${id}`)).json().seal).toBeNull()
    const answer = await seal(creator, id, 'day', true)
    expect(answer.statusCode, answer.body).toBe(200)
    const sealed = answer.json().seal
    expect((await creator.get(`/api/tokens/${id}`)).json().seal).toEqual(sealed)
    expect((await creator.get(`/api/tokens/by-ids?ids=${id}`)).json()[0].seal).toEqual(sealed)
    const rug = await creator.post(`/api/tokens/${id}/rug`, {})
    expect([rug.statusCode, rug.body]).toEqual([409, expect.stringContaining('You have sealed this token’s liquidity')])
    const chain = (await creator.get(`/api/tokens/${id}/seals`)).json()
    expect(chain.head).toEqual({ number: 1, hash: chain.seals[0].hash })
    expect((await creator.get('/api/orders')).json()[0]).toMatchObject({ kind: 'seal', tokenId: id })
  })

  it('counts for its creator with the sealed holding, but never with the pool', async () => {
    const creator = await server.player()
    const id = await creator.launch({ initialBuyAmount: '1' })
    const other = await server.player()
    await other.buy(id, '20')
    const worth = async () => Number((await creator.get('/api/portfolio/net-worth')).json().netWorth)
    expect(await worth()).toBeGreaterThan(115)
    await seal(creator, id, 'day')
    const sealed = await worth()
    expect(sealed).toBeGreaterThan(98.9)
    expect(sealed).toBeLessThan(105)
  })

  it('is announced to subscribers that name seals, and to nobody else', async () => {
    const plain = await openSocket(`${url.replace('http', 'ws')}/ws`)
    const wanting = await openSocket(`${url.replace('http', 'ws')}/ws?types=seal`)
    const creator = await server.player()
    const id = await creator.launch()
    await seal(creator, id, 'hour')
    await creator.post('/api/tokens/buy', { tokenId: id, solAmount: '1' })
    expect(await wanting.next()).toMatchObject({ type: 'seal', kind: 'sealed', tokenId: id, number: 1, symbol: 'MOON' })
    const heard = [await plain.next(), await plain.next()]
    expect(heard).toMatchObject([
      { type: 'token_launched', tokenId: id },
      { type: 'trade', tokenId: id },
    ])
    for (const { socket } of [plain, wanting]) socket.close()
  })

  it('is replayed by the audit, which finds violations of the seal', async () => {
    const creator = await server.player()
    const id = await creator.launch({ initialBuyAmount: '1', seal: { term: 'day', bag: true } })
    await creator.buy(id, '1')
    await seal(creator, id, 'week', true)
    const clean = await auditMarket(server.database.pool)
    expect(clean.shown).toEqual([])
    await sql`update pools set sealed_until = null, bag_sealed_until = null where token_id = ${id}`.execute(server.db)
    await sql`update seals set bag_tokens = 5 where token_id = ${id} and n = 1`.execute(server.db)
    const { shown } = await auditMarket(server.database.pool)
    expect(shown.some((line) => line.includes('the pool’s seal does not match the last seal'))).toBe(true)
    expect(shown.some((line) => line.includes('seal 1: the hash is'))).toBe(true)
  })

  it('notifies its holders five minutes before its end and at its end, once each', async () => {
    const wanting = await openSocket(`${url.replace('http', 'ws')}/ws?types=seal`)
    const creator = await server.player()
    const id = await creator.launch()
    const holder = await server.player()
    await holder.buy(id, '1')
    await seal(creator, id, 'day')
    const stages = async () =>
      (await holder.get('/api/notices'))
        .json()
        .news.filter(({ kind }: { kind: string }) => kind === 'seal')
        .map((notice: { seal: { stage: string } }) => notice.seal.stage)
    await moveEnd(id, 30 * 60_000)
    await server.tickUntil('notices', async () => expect(await stages()).toEqual(['hour']))
    await moveEnd(id, 4 * 60_000)
    await server.tickUntil('notices', async () => expect(await stages()).toEqual(['minutes', 'hour']))
    await moveEnd(id, -2_000)
    await server.tickUntil('notices', async () => expect(await stages()).toEqual(['ended', 'minutes', 'hour']))
    expect(await wanting.next()).toMatchObject({ kind: 'sealed', tokenId: id })
    expect(await wanting.next()).toMatchObject({ kind: 'expired', tokenId: id, number: 1 })
    wanting.socket.close()
  })

  const readSeals = (id: number) =>
    server.db.selectFrom('seals').selectAll().where('token_id', '=', id).orderBy('n').execute()

  it('does not end while a renewal is about to commit', async () => {
    const creator = await server.player()
    const [id, other] = [await creator.launch(), await creator.launch()]
    for (const tokenId of [id, other]) await seal(creator, tokenId, 'day')
    const past = new Date(Date.now() - 2_000)
    await server.db.transaction().execute(async (tx) => {
      await sql`update pools set seals = 2 where token_id = ${id}`.execute(tx)
      await sql`insert into seals select (jsonb_populate_record(s, jsonb_build_object('n', 2, 'kind', 'renewed', 'request_key', null,
        'position', 0))).* from seals s where token_id = ${id}`.execute(tx)
      await sql`update seals set until = ${past} where token_id in (${id}, ${other})`.execute(server.db)
      await server.tickUntil('notices', async () => expect((await readSeals(other))[0]?.told).toBe(3))
    })
    await server.tickUntil('notices', async () => expect((await readSeals(id))[0]?.told).toBe(3))
    expect((await readSeals(id)).map(({ kind, ended_position }) => [kind, ended_position])).toEqual([
      ['sealed', null],
      ['renewed', null],
    ])
  })

  it('has ended for subscribers that name seals, even if it was sealed again at once', async () => {
    const wanting = await openSocket(`${url.replace('http', 'ws')}/ws?types=seal`)
    const creator = await server.player()
    const id = await creator.launch()
    await seal(creator, id, 'hour')
    server.passTime(3_600_000)
    await seal(creator, id, 'day')
    await server.tickUntil('notices', async () => expect((await readSeals(id))[0]?.told).toBe(3))
    expect((await readSeals(id)).map(({ kind }) => kind)).toEqual(['sealed', 'sealed'])
    const heard: unknown[] = []
    while (heard.length < 3) {
      const event = (await wanting.next()) as { tokenId: number }
      if (event.tokenId === id) heard.push(event)
    }
    expect(heard).toMatchObject([
      { kind: 'sealed', tokenId: id, number: 1 },
      { kind: 'sealed', tokenId: id, number: 2 },
      { kind: 'expired', tokenId: id, number: 1 },
    ])
    wanting.socket.close()
  })
})
