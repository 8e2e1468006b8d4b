import { findCursor, type Program } from '../src/program.ts'
import { buyToken, getToken, launchToken, listTokens, listTokenTrades } from './client.ts'

/** Trades with the functions that orval generates for its fetch client. The server's URL is in the generated code. */
export const trade: Program = async (_url, key) => {
  const asPlayer = { headers: { authorization: `Bearer ${key}` } }
  const asGuest = { headers: { accept: 'application/json' } }

  const launch = await launchToken({ name: 'Paper Moon', symbol: 'MOON' }, asPlayer)
  if (launch.status !== 201) throw new Error(`launch: ${launch.status}`)
  const tokenId = launch.data.id

  const buy = await buyToken({ tokenId, solAmount: '1' }, asPlayer)
  if (buy.status !== 200) throw new Error(`buy: ${buy.status}`)
  await buyToken({ tokenId, solAmount: '2' }, asPlayer)
  const refused = await buyToken({ tokenId, solAmount: '1', minTokensOut: '999999999' }, asPlayer)
  if (refused.status !== 422 || typeof refused.data === 'string') throw new Error('no problem details')

  const token = await getToken(tokenId, asGuest)
  const tokens = await listTokens({ sort: 'newest' }, asGuest)
  const sides: string[] = []
  for (let cursor: number | undefined; ; ) {
    const page = await listTokenTrades(tokenId, { limit: 1, cursor }, asGuest)
    if (page.status !== 200) throw new Error(`trades: ${page.status}`)
    for (const { side } of page.data) sides.push(side)
    cursor = findCursor(page.headers)
    if (cursor === undefined) break
  }
  const missing = await getToken(2_000_000_000, asGuest)
  if (missing.status !== 404 || typeof missing.data === 'string') throw new Error('no problem details')
  return {
    tokensOut: buy.data.tokensOut,
    symbol: token.status === 200 ? token.data.symbol : undefined,
    listed: tokens.status === 200 ? tokens.data.map(({ symbol }) => symbol) : [],
    sides,
    refusal: [refused.data.status, refused.data.code],
    missing: [missing.data.status, missing.data.code],
  }
}
