import createClient from 'openapi-fetch'
import { findCursor, type Program } from '../src/program.ts'
import type { paths } from './client.ts'

/** Trades with the types that openapi-typescript generates. The program uses openapi-fetch. */
export const trade: Program = async (url, key) => {
  const api = createClient<paths>({ baseUrl: url, headers: { authorization: `Bearer ${key}` } })
  const guest = createClient<paths>({ baseUrl: url, headers: { accept: 'application/json' } })

  const launch = await api.POST('/api/tokens/launch', { body: { name: 'Paper Moon', symbol: 'MOON' } })
  if (launch.data === undefined) throw new Error(`launch: ${launch.response.status}`)
  const tokenId = launch.data.id

  const buy = await api.POST('/api/tokens/buy', { body: { tokenId, solAmount: '1' } })
  if (buy.data === undefined) throw new Error(`buy: ${buy.response.status}`)
  await api.POST('/api/tokens/buy', { body: { tokenId, solAmount: '2' } })
  // The generated types require a property that has a default.
  const limit = { tokenId, kind: 'buy', solAmount: '1', price: '0.00000001', dryRun: true } as const
  await api.POST('/api/waiting-orders', { body: limit })
  const tooMuch = { tokenId, solAmount: '1', minTokensOut: '999999999' }
  const refused = await api.POST('/api/tokens/buy', { body: tooMuch })
  if (refused.error === undefined || typeof refused.error === 'string') throw new Error('no problem details')

  const token = await guest.GET('/api/tokens/{id}', { params: { path: { id: tokenId } } })
  const { data: tokens = [] } = await guest.GET('/api/tokens', { params: { query: { sort: 'newest' } } })
  const sides: string[] = []
  for (let cursor: number | undefined; ; ) {
    const params = { path: { id: tokenId }, query: { limit: 1, cursor } }
    const page = await guest.GET('/api/tokens/{id}/trades', { params })
    for (const { side } of page.data ?? []) sides.push(side)
    cursor = findCursor(page.response.headers)
    if (cursor === undefined) break
  }
  const missing = await guest.GET('/api/tokens/{id}', { params: { path: { id: 2_000_000_000 } } })
  if (missing.error === undefined || typeof missing.error === 'string') throw new Error('no problem details')
  return {
    tokensOut: buy.data.tokensOut,
    symbol: token.data?.symbol,
    listed: tokens.map(({ symbol }) => symbol),
    sides,
    refusal: [refused.error.status, refused.error.code],
    missing: [missing.error.status, missing.error.code],
  }
}
