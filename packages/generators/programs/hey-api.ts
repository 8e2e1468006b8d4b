import type { Program } from '../src/program.ts'
import { createClient } from './client/client/index.ts'
import { buyToken, getToken, launchToken } from './client/index.ts'

/** Uses the functions of @hey-api/openapi-ts, with its own fetch client. */
export const trade: Program = async (baseUrl, key) => {
  const client = createClient({ baseUrl, auth: key })
  const guest = createClient({ baseUrl, headers: { accept: 'application/json' } })

  const launch = await launchToken({ client, body: { name: 'Paper Moon', symbol: 'MOON' } })
  if (launch.data === undefined) throw new Error(launch.error.detail)
  const tokenId = launch.data.id

  const buy = await buyToken({ client, body: { tokenId, solAmount: '1' } })
  if (buy.data === undefined) throw new Error(buy.error.detail)
  const refused = await buyToken({ client, body: { tokenId, solAmount: '1', minTokensOut: '999999999' } })
  if (refused.error === undefined) throw new Error('not refused')

  const token = await getToken({ client: guest, path: { id: tokenId } })
  const missing = await getToken({ client: guest, path: { id: 2_000_000_000 } })
  if (missing.error === undefined) throw new Error('not missing')
  return {
    tokensOut: buy.data.tokensOut,
    symbol: token.data?.symbol,
    refusal: [refused.error.status, refused.error.code],
    missing: [missing.error.status, missing.error.code],
  }
}
