import { findCursor, type Program } from '../src/program.ts'
import { createClient } from './client/client/index.ts'
import { buyToken, getToken, launchToken, listTokens, listTokenTrades } from './client/index.ts'

/** Trades with the functions that @hey-api/openapi-ts generates. The functions use hey-api's own fetch client. */
export const trade: Program = async (baseUrl, key) => {
  const client = createClient({ baseUrl, auth: key })
  const guest = createClient({ baseUrl, headers: { accept: 'application/json' } })

  const launch = await launchToken({ client, body: { name: 'Paper Moon', symbol: 'MOON' } })
  if (launch.data === undefined) throw new Error(launch.error.detail)
  const tokenId = launch.data.id

  const buy = await buyToken({ client, body: { tokenId, solAmount: '1' } })
  if (buy.data === undefined) throw new Error(buy.error.detail)
  await buyToken({ client, body: { tokenId, solAmount: '2' } })
  const refused = await buyToken({ client, body: { tokenId, solAmount: '1', minTokensOut: '999999999' } })
  if (refused.error === undefined) throw new Error('not refused')

  const token = await getToken({ client: guest, path: { id: tokenId } })
  const { data: tokens = [] } = await listTokens({ client: guest, query: { sort: 'newest' } })
  const sides: string[] = []
  for (let cursor: number | undefined; ; ) {
    const page = await listTokenTrades({ client: guest, path: { id: tokenId }, query: { limit: 1, cursor } })
    for (const { side } of page.data ?? []) sides.push(side)
    cursor = findCursor(page.response?.headers)
    if (cursor === undefined) break
  }
  const missing = await getToken({ client: guest, path: { id: 2_000_000_000 } })
  if (missing.error === undefined) throw new Error('not missing')
  return {
    tokensOut: buy.data.tokensOut,
    symbol: token.data?.symbol,
    listed: tokens.map(({ symbol }) => symbol),
    sides,
    refusal: [refused.error.status, refused.error.code],
    missing: [missing.error.status, missing.error.code],
  }
}
