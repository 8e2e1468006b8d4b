import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { countStatements } from '../support/statements.ts'
import { createTestServer, type TestServer, type Visitor } from '../support/test-server.ts'

interface ListedToken {
  readonly id: number
  readonly seq: number
}

describe('the list of tokens', () => {
  let server: TestServer
  let player: Visitor
  beforeAll(async () => {
    server = await createTestServer({ hasJobs: false })
    player = await server.player()
  })
  afterAll(() => server?.close())

  const list = async (query = ''): Promise<ListedToken[]> => (await server.visitor().get(`/api/tokens${query}`)).json()

  it('is read once for all callers while nothing happens', async () => {
    await player.launch()
    const reads = await countStatements(/as place, t\.name, t\.symbol/, () =>
      Promise.all(Array.from({ length: 50 }, () => list())),
    )
    expect(reads).toBeGreaterThan(0)
    // Its figures hold for the minute, which may end meanwhile.
    expect(reads).toBeLessThanOrEqual(2)
  })

  it('shows a launch, a trade and a rug pull as soon as they are answered', async () => {
    for (let round = 0; round < 5; round++) {
      const crowd = Array.from({ length: 10 }, () => list())
      const id = await player.launch()
      expect((await list()).map((token) => token.id)).toContain(id)
      await player.post('/api/tokens/buy', { tokenId: id, solAmount: '1' })
      expect((await list()).find((token) => token.id === id)?.seq).toBe(1)
      await player.raw('POST', `/api/tokens/${id}/rug`, '', { 'content-type': 'application/json' })
      expect((await list()).find((token) => token.id === id)?.seq).toBe(2)
      await Promise.all(crowd)
    }
  })

  it('by last trade begins with the token that was traded, rugged or launched last', async () => {
    const ids: number[] = []
    const toOwn = (tokens: readonly ListedToken[]) =>
      tokens.map(({ id }) => ids.indexOf(id)).filter((place) => place >= 0)
    const order = async (query = '') => toOwn(await list(`?sort=last-trade${query}`))
    const act = async (path: string, body: object) => {
      server.passTime(1_000)
      await player.post(path, body)
    }
    for (let count = 0; count < 4; count++) {
      server.passTime(1_000)
      ids.push(await player.launch())
    }
    expect(await order()).toEqual([3, 2, 1, 0])
    await act('/api/tokens/buy', { tokenId: ids[1], solAmount: '1' })
    expect(await order()).toEqual([1, 3, 2, 0])
    await act('/api/tokens/buy', { tokenId: ids[0], solAmount: '1' })
    await act(`/api/tokens/${ids[2]}/rug`, {})
    expect(await order()).toEqual([2, 0, 1, 3])
    expect(await order('&rugged=hide')).toEqual([0, 1, 3])
    const first = await server.visitor().get('/api/tokens?sort=last-trade&limit=3')
    const next = /<([^>]+)>; rel="next"/.exec(String(first.headers.link))?.[1] ?? ''
    expect(toOwn((await server.visitor().get(next)).json())).toEqual([3])
  })

  it('refuses an invalid cursor', async () => {
    const cursor = Buffer.from(JSON.stringify(['mcap-high', '1', 3_000_000_000])).toString('base64url')
    const answer = await server.visitor().get(`/api/tokens?sort=mcap-high&cursor=${cursor}`)
    expect([answer.statusCode, answer.body]).toEqual([400, 'cursor is not one that this list gave.'])
  })

  it('caches pages of other sizes and orders separately', async () => {
    const ids = [await player.launch({ name: 'Apart one' }), await player.launch({ name: 'Apart two' })]
    const queries = ['sort=oldest', 'sort=newest', 'sort=oldest&limit=1']
    const pages = await Promise.all(queries.map((query) => list(`?search=apart&${query}`)))
    expect(pages.map((page) => page.map(({ id }) => id))).toEqual([ids, ids.toReversed(), ids.slice(0, 1)])
  })
})

describe('the limit of reads', () => {
  it('counts a page by its size', async () => {
    const server = await createTestServer({ hasJobs: false, env: { RATE_LIMIT: 'on' } })
    const guest = server.visitor()
    const left = async (url: string) => Number((await guest.get(url)).headers['ratelimit-remaining'])
    expect([
      await left('/api/tokens?limit=20'),
      await left('/api/tokens?limit=100'),
      await left('/api/tokens'),
    ]).toEqual([1_199, 1_196, 1_175])
    const answers = await Promise.all(Array.from({ length: 60 }, () => guest.get('/api/tokens')))
    expect(answers.filter(({ statusCode }) => statusCode === 429).length).toBeGreaterThan(0)
    await server.close()
  })
})
