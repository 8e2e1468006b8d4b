import { CHARACTERS } from '@papermoon/bots'
import { describe, expect, it } from 'vitest'
import { createHouseBots } from '../../../src/house/create-house-bots.ts'
import { becomes, makeRoom, openRoom, playFair } from '../../support/fairs.ts'
import { runCommand } from '../../support/run-command.ts'
import { shareTestServer } from '../../support/test-server.ts'

const server = await shareTestServer()
const host = await server.player('host')

const admin = (...args: string[]) =>
  runCommand('admin', ['fairs', ...args], { DATABASE_URL: server.database.connectionString })
const readFair = async (id: number) => (await host.get(`/api/fairs/${id}`)).json()

describe('npm run admin -- fairs', () => {
  it('opens the lobby of an arena that players can enter, and lists it', async () => {
    const { stdout } = await admin('create', 'Summer party', '--at', '2099-01-01T18:00:00Z').then((refused) => {
      expect(refused).toMatchObject({ code: 2, stderr: 'at must be within 30 days.\n' })
      return admin('create', 'Summer party', '--minutes', '20', '--stake', '250', '--rugs')
    })
    const id = Number(/^Fair (\d+) \(Summer party\) is open for entries. It begins at /.exec(stdout)?.[1])
    expect((await host.post(`/api/fairs/${id}/enter`, {})).json()).toMatchObject({
      kind: 'arena',
      name: 'Summer party',
      host: null,
      state: 'lobby',
      stake: '250',
      rugs: true,
      me: { balance: '250' },
    })
    const { stdout: list } = await admin('list')
    expect(list).toContain(`${id},"arena","Summer party","","lobby"`)
  })

  it('creates an arena with bots if the house has enough, and otherwise says how to create bots', async () => {
    const create = () => admin('create', 'With bots', '--bots', '3')
    const sentence = 'Only 0 bots can enter it. npm run admin -- bots create creates house bots.\n'
    expect(await create()).toMatchObject({ code: 2, stderr: sentence })
    await createHouseBots(server.db, CHARACTERS.slice(0, 3), { at: new Date() })
    const id = Number(/^Fair (\d+) /.exec((await create()).stdout)?.[1])
    await server.db.updateTable('fairs').set({ starts_at: new Date() }).where('id', '=', id).execute()
    await becomes(server, host, id, { state: 'open', bots: 3 })
  })

  it('renames a fair', async () => {
    const { id } = await makeRoom(host, [], { name: 'Buy at evil.example' })
    const { stdout } = await admin('rename', String(id), 'A room')
    expect(stdout).toBe(`Fair ${id} (Buy at evil.example) is now named A room.\n`)
    expect(await readFair(id)).toMatchObject({ name: 'A room' })
    expect(await admin('rename', String(id), 'x')).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/^The name /),
    })
  })

  it('ends a fair now, and a running server writes its results', async () => {
    const { id } = await openRoom(host)
    expect((await admin('end', String(id))).stdout).toMatch(/has ended. A running server writes its results\.\n$/)
    await becomes(server, host, id, { state: 'settled' })
    expect(await admin('end', String(id))).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/has already ended/),
    })
  })

  it('makes a fair void, with its reason and without medals', async () => {
    const { id } = await makeRoom(host)
    await playFair(server, host, id)
    await server.db.updateTable('fair_results').set({ medal: 1 }).where('fair_id', '=', id).execute()
    const { host_id: userId } = await server.db
      .selectFrom('fairs')
      .select('host_id')
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    const rating = { user_id: userId ?? 0, rating: 1600, deviation: 100, volatility: 0.06, fairs: 1 }
    await server.db.insertInto('fair_ratings').values(rating).execute()
    const { stdout } = await admin('void', String(id), 'Two players were one.')
    expect(stdout).toBe(`Fair ${id} (Friday evening) is void and does not count: Two players were one.\n`)
    expect(await readFair(id)).toMatchObject({ state: 'void', note: 'Two players were one.' })
    const { entrants } = (await host.get(`/api/fairs/${id}/ranking`)).json()
    expect(entrants).toMatchObject([{ medal: null }])
    // Ratings are recomputed from the remaining fairs, and there are none.
    expect(await server.db.selectFrom('fair_ratings').selectAll().execute()).toEqual([])
    expect(await admin('void', String(id), 'again')).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/already void/),
    })
  })

  it('stops trading in a fair that it makes void', async () => {
    const { id } = await openRoom(host)
    const launch = { name: 'Paper Star', symbol: 'STAR', fairId: id }
    const { id: tokenId } = (await host.post('/api/tokens/launch', launch)).json()
    await admin('void', String(id), 'A drill.')
    const refused = await host.post('/api/tokens/buy', { tokenId, solAmount: '1' }, { accept: 'application/json' })
    expect(refused.json().code).toBe('FAIR_ENDED')
    expect((await readFair(id)).state).toBe('void')
  })

  it('prints what is wrong with invalid arguments', async () => {
    expect((await admin('void', '999', 'x')).stderr).toBe('There is no fair 999.\n')
    expect((await admin('end', '1')).stderr).toBe('There is no fair 1.\n')
    expect((await admin('create', 'ab')).stderr).toMatch(/^name /)
    expect((await admin('create', 'abc', '--minutes', '4')).stderr).toBe('minutes must be at least 5.\n')
    expect((await admin('start', '2')).stderr).toMatch(/^The command fairs takes /)
  })
})
