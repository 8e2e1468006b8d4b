import { describe, expect, it } from 'vitest'
import { buyCall, buyRequest } from '../src/load/buyer.ts'
import { interleave } from '../src/load/interleave.ts'
import { parseStat } from '../src/servers/cpu-time.ts'

describe('a buy', () => {
  const buy = { port: 3_000, tokenId: 7, cookie: 'papermoon_session=s', key: 'k-1' }
  const parseRequest = (request: string) => {
    const [head = '', body = ''] = request.split('\r\n\r\n')
    return { lines: head.split('\r\n'), body }
  }

  it('is sent to REST with session, idempotency key and content length', () => {
    const { lines, body } = parseRequest(buyRequest('rest', buy))
    expect(lines[0]).toBe('POST /api/tokens/buy HTTP/1.1')
    expect(lines).toEqual(expect.arrayContaining(['Cookie: papermoon_session=s', 'Idempotency-Key: k-1']))
    expect(lines).toContain(`Content-Length: ${body.length}`)
    expect(JSON.parse(body)).toEqual({ tokenId: 7, solAmount: '0.001' })
  })

  it('is sent to tRPC over HTTP as a batch of one', () => {
    const { lines, body } = parseRequest(buyRequest('trpc', buy))
    expect(lines[0]).toBe('POST /trpc/trading.buy?batch=1 HTTP/1.1')
    expect(JSON.parse(body)).toEqual({ 0: { json: { tokenId: 7, solAmount: '0.001', requestId: 'k-1' } } })
  })

  it('is sent to tRPC over WebSocket as a mutation', () => {
    expect(JSON.parse(buyCall(5, buy))).toEqual({
      id: 5,
      method: 'mutation',
      params: { path: 'trading.buy', input: { json: { tokenId: 7, solAmount: '0.001', requestId: 'k-1' } } },
    })
  })

  it('is sent to the empty route with the same headers and body as to REST', () => {
    const [bare, rest] = [parseRequest(buyRequest('bare', buy)), parseRequest(buyRequest('rest', buy))]
    expect(bare.lines[0]).toBe('POST / HTTP/1.1')
    expect(bare.lines.slice(1)).toEqual(rest.lines.slice(1))
    expect(bare.body).toBe(rest.body)
  })
})

describe('interleaved sides', () => {
  it('take turns, without counting the first round', async () => {
    const turns: string[] = []
    const side = (name: string) => async (round: number) => {
      turns.push(`${name}${round}`)
      return { round }
    }
    const rounds = await interleave(2, { a: side('a'), b: side('b'), c: side('c') })
    expect(turns).toEqual(['a0', 'b0', 'c0', 'a1', 'b1', 'c1', 'a2', 'b2', 'c2'])
    expect(rounds.map(({ a, b, c }) => [a.round, b.round, c.round])).toEqual([
      [1, 1, 1],
      [2, 2, 2],
    ])
  })
})

describe('the CPU time of a process', () => {
  it('is parsed for any process name', () => {
    const times = Array.from({ length: 40 }, (_, i) => i + 3)
    expect(parseStat(`4711 (a (b) c) S 17 ${times.slice(2).join(' ')}`)).toEqual({
      parent: 17,
      ownMs: (times[11] ?? 0) * 10 + (times[12] ?? 0) * 10,
      endedMs: (times[13] ?? 0) * 10 + (times[14] ?? 0) * 10,
    })
  })
})
