import { describe, expect, it } from 'vitest'
import { hide } from '../../src/commands/admin/hide.ts'
import { shareTestServer, type Visitor } from '../support/test-server.ts'

const server = await shareTestServer({ hasJobs: true })

async function createPlayer(name: string): Promise<{ player: Visitor; id: number }> {
  const player = await server.player(name)
  return { player, id: (await player.get('/api/auth/user')).json().id }
}
const record = async (id: number) => (await server.visitor().get(`/api/users/${id}/launch-record`)).json()

describe('GET /api/users/{id}/launch-record', () => {
  it('has zeros for a player who launched nothing', async () => {
    const { id } = await createPlayer('newcomer')
    expect(await record(id)).toEqual({ launched: 0, rugged: 0, ruggedAmount: '0', fairGame: 0, scoundrel: 0 })
  })

  it('counts each launch and rug pull at once, with the SOL that was drained', async () => {
    const { player, id } = await createPlayer('puller')
    const first = await player.launch({ initialBuyAmount: '5' })
    expect(await record(id)).toMatchObject({ launched: 1, rugged: 0, ruggedAmount: '0' })
    const second = await player.launch({ initialBuyAmount: '1' })
    await player.launch()
    expect(await record(id)).toMatchObject({ launched: 3, rugged: 0 })
    await player.post(`/api/tokens/${first}/rug`, {})
    expect(await record(id)).toMatchObject({ launched: 3, rugged: 1, ruggedAmount: '4.985' })
    await player.post(`/api/tokens/${second}/rug`, {})
    expect(await record(id)).toMatchObject({ launched: 3, rugged: 2, ruggedAmount: '5.982' })
  })

  it('is about this player’s tokens alone, whoever trades them', async () => {
    const { player, id } = await createPlayer('honest')
    const tokenId = await player.launch()
    await record(id)
    const { player: other } = await createPlayer('other')
    await other.post('/api/tokens/buy', { tokenId, solAmount: '2' })
    const foreign = await other.launch()
    await other.post(`/api/tokens/${foreign}/rug`, {})
    expect(await record(id)).toMatchObject({ launched: 1, rugged: 0, ruggedAmount: '0' })
  })

  it('leaves out hidden tokens', async () => {
    const { player, id } = await createPlayer('hidden')
    const hidden = await player.launch({ initialBuyAmount: '5' })
    await player.launch()
    await player.post(`/api/tokens/${hidden}/rug`, {})
    expect(await record(id)).toMatchObject({ launched: 2, rugged: 1 })
    await hide(server.database, String(hidden))
    await expect.poll(() => record(id)).toMatchObject({ launched: 1, rugged: 0, ruggedAmount: '0' })
  })

  it('is 404 for an unknown player', async () => {
    const answer = await server.visitor().get('/api/users/2000000000/launch-record')
    expect([answer.statusCode, answer.body]).toEqual([404, 'User not found.'])
  })
})
