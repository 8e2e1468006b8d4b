import { sql } from 'kysely'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createTestServer, shareTestServer, type Visitor } from '../support/test-server.ts'
import { at } from '../support/two-nodes.ts'

const MAX = 200

const server = await shareTestServer()
const creator = await server.player('creator')
const first = await creator.launch()
/** More tokens than a watchlist can contain. */
const tokens: number[] = [first]
// Insert copies of a launched token, because launching this many would cost more SOL than a player has.
const { rows } = await sql<{ id: number }>`
  insert into tokens (creator_id, name, symbol, emoji, supply, launch_price, launch_fee, created_at)
  select creator_id, name, symbol, emoji, supply, launch_price, launch_fee, created_at
    from tokens, generate_series(1, ${MAX + 20}::int)
  returning id`.execute(server.db)
tokens.push(...rows.map(({ id }) => id))

const starred = async (visitor: Visitor): Promise<number[]> => (await visitor.get('/api/watchlist')).json().tokenIds
const star = (visitor: Visitor, id: number) => visitor.raw('PUT', `/api/watchlist/${id}`, '')
const unstar = (visitor: Visitor, id: number) => visitor.raw('DELETE', `/api/watchlist/${id}`, '')
const merge = async (visitor: Visitor, tokenIds: number[]): Promise<number[]> =>
  (await visitor.post('/api/watchlist', { tokenIds })).json().tokenIds

describe('a watchlist', () => {
  it('responds with "busy" while the player’s row is locked for longer than a call may wait', async () => {
    const player = await server.player()
    const id = await player.id()
    const hasty = server.database.reopen({ lockTimeoutMs: 200 })
    const node = await createTestServer({ database: { ...server.database, ...hasty, drop: () => hasty.close() } })
    onTestFinished(() => node.close())
    await server.db.transaction().execute(async (tx) => {
      await sql`select from users where id = ${id} for update`.execute(tx)
      const answer = await star(at(node, player), tokens[0] ?? 0)
      expect([answer.statusCode, answer.headers['retry-after']]).toEqual([503, '1'])
    })
    expect((await star(player, tokens[0] ?? 0)).statusCode).toBe(200)
  })

  it.each(['40001', '40P01'])(
    'is changed by a second try after %s, and responds with "busy" if that fails too',
    async (code) => {
      const player = await server.player()
      // Count the tries with a sequence, which a rollback does not reset.
      await sql
        .raw(`
      create sequence tries;
      create function collide() returns trigger language plpgsql as $$
        begin
          if nextval('tries') % 4 <> 2 then raise exception 'collided' using errcode = '${code}'; end if;
          return new;
        end $$;
      create trigger collide before insert on watchlist for each row execute function collide()`)
        .execute(server.db)
      try {
        expect((await star(player, tokens[0] ?? 0)).statusCode).toBe(200)
        const path = `/api/watchlist/${tokens[1]}`
        const refused = await player.raw('PUT', path, '', { accept: 'application/json' })
        expect([refused.statusCode, refused.json().code, refused.headers['retry-after']]).toEqual([503, 'BUSY', '1'])
        expect(await starred(player)).toEqual([tokens[0]])
      } finally {
        await sql
          .raw('drop trigger collide on watchlist; drop function collide; drop sequence tries')
          .execute(server.db)
      }
    },
  )

  it('lists the last starred token first, and a second star changes nothing', async () => {
    const player = await server.player()
    const [a = 0, b = 0, c = 0] = tokens
    for (const id of [a, b, c, a]) {
      server.passTime(10)
      expect((await star(player, id)).statusCode).toBe(200)
    }
    expect(await starred(player)).toEqual([c, b, a])
    expect((await unstar(player, b)).json()).toEqual({ tokenIds: [c, a] })
    expect((await unstar(player, b)).json()).toEqual({ tokenIds: [c, a] })
    expect(await starred(creator)).toEqual([])
  })

  it('adds the stars of a device after its own, in their order and without unknown tokens', async () => {
    const player = await server.player()
    const [a = 0, b = 0, c = 0] = tokens
    await star(player, b)
    server.passTime(1_000)
    expect(await merge(player, [c, 2_000_000_000, b, a, c])).toEqual([c, a, b])
  })

  it('can have 200 tokens, even with two concurrent calls', async () => {
    const player = await server.player()
    const lists = await Promise.all([merge(player, tokens.slice(0, 150)), merge(player, tokens.slice(60, 220))])
    expect(
      lists
        .map((list) => list.length)
        .sort((a, b) => a - b)
        .at(-1),
    ).toBe(MAX)
    const list = await starred(player)
    expect(list).toHaveLength(MAX)
    const next = tokens.find((id) => !list.includes(id)) ?? 0
    const refused = await star(player, next)
    expect([refused.statusCode, refused.body]).toEqual([
      422,
      'You already watch 200 tokens. Please remove the star from one of them first.',
    ])
    expect((await star(player, list[0] ?? 0)).statusCode).toBe(200)
    await unstar(player, list[0] ?? 0)
    const results = await Promise.all([star(player, next), star(player, list[0] ?? 0)])
    expect(results.map(({ statusCode }) => statusCode).sort((a, b) => a - b)).toEqual([200, 422])
  })
})
