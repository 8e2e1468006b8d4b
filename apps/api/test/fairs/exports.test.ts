import { beforeAll, describe, expect, it } from 'vitest'
import { openRoom } from '../support/fairs.ts'
import { shareTestServer } from '../support/test-server.ts'

let fairId: number
let tokenId: number
const server = await shareTestServer()
const host = await server.player('teacher')
const guest = await server.player('pupil')
const stranger = await server.player('stranger')
beforeAll(async () => {
  fairId = (await openRoom(host, [guest], { name: 'Zoë’s class, 7b!' })).id
  const names = { name: '=1+1', symbol: 'SUM', emoji: '⭐' }
  tokenId = (await host.post('/api/tokens/launch', { ...names, fairId, initialBuyAmount: '5' })).json().id
  for (const solAmount of ['1', '2', '3']) await guest.post('/api/tokens/buy', { tokenId, solAmount })
})

/** A CSV file starts with a byte order mark, so that Excel shows names correctly. */
const BOM = '\uFEFF'
const lines = (text: string) => text.trimEnd().split(/\r?\n/)

describe('the files of a fair', () => {
  it('contain all trades, newest first, safe for a spreadsheet', async () => {
    const answer = await guest.get(`/api/exports/fairs/${fairId}/trades.csv`)
    expect([answer.statusCode, answer.headers['content-type']]).toEqual([
      200,
      'text/csv; charset=utf-8; header=present',
    ])
    const [head = '', ...rows] = lines(answer.body)
    expect(answer.headers['content-disposition']).toBe('attachment; filename="papermoon-Zoe-s-class-7b-trades.csv"')
    expect(head.split(',').slice(0, 4)).toEqual([`${BOM}id`, 'tokenId', 'seq', 'side'])
    expect(rows.map((row) => row.split(',')[2])).toEqual(['4', '3', '2', '1'])
    expect(rows[0]).toContain(`"'=1+1"`)
    const json = lines((await guest.get(`/api/exports/fairs/${fairId}/trades.ndjson`)).body).map((line) =>
      JSON.parse(line),
    )
    expect(json.map(({ solAmount }) => solAmount)).toEqual(['3', '2', '1', '5'])
    // The pages of the list contain the same trades.
    const first = await guest.get(`/api/fairs/${fairId}/trades?limit=3`)
    expect(first.json()).toEqual(json.slice(0, 3))
    const next = /<[^>]*(\/api[^>]*)>; rel="next"/.exec(String(first.headers.link))?.[1]
    expect((await guest.get(next ?? '')).json()).toEqual(json.slice(3))
  })

  it('contain the ranking', async () => {
    const answer = await host.get(`/api/exports/fairs/${fairId}/ranking.csv`)
    const [head, ...rows] = lines(answer.body)
    expect(head).toBe(`${BOM}place,userId,username,isBot,standing,score,isRanked,hasLeft,trades,medal,isPaper`)
    expect(answer.headers['content-disposition']).toContain('papermoon-Zoe-s-class-7b-ranking.csv')
    expect(
      rows.map((row) =>
        row
          .split(',')
          .slice(0, 4)
          .filter((_, at) => at !== 1),
      ),
    ).toEqual([
      ['1', '"teacher"', 'false'],
      ['2', '"pupil"', 'false'],
    ])
  })

  it('contain the trades, holders and candles of a token', async () => {
    const read = async (path: string, headers = {}) => {
      const { statusCode, body } = await guest.get(path, headers)
      return [statusCode, lines(body).map((line) => JSON.parse(line))] as const
    }
    const of = `/api/exports/tokens/${tokenId}`
    const pages = `/api/tokens/${tokenId}`
    for (const list of ['trades', 'holders', 'candles']) {
      const page = (await guest.get(`${pages}/${list}`)).json()
      expect([list, page.length > 0, await read(`${of}/${list}.ndjson`)]).toEqual([list, true, [200, page]])
    }
    expect((await read(`${pages}/trades`, { accept: 'application/x-ndjson' }))[1]).toHaveLength(4)
    for (const who of [stranger, server.visitor()]) {
      for (const file of ['trades.csv', 'holders.csv', 'candles.ndjson'])
        expect([file, (await who.get(`${of}/${file}`)).statusCode]).toEqual([file, 404])
    }
  })

  it('are named after the fair’s id if its name has no plain letter, and JSON lines have no byte order mark', async () => {
    const { fair } = (await guest.post('/api/fairs', { kind: 'room', name: '日本の月' })).json()
    const answer = await guest.get(`/api/exports/fairs/${fair.id}/ranking.ndjson`)
    expect(answer.headers['content-disposition']).toBe(
      `attachment; filename="papermoon-fair-${fair.id}-ranking.ndjson"`,
    )
    expect((await host.get(`/api/exports/fairs/${fairId}/trades.ndjson`)).body.startsWith('{')).toBe(true)
  })
})
