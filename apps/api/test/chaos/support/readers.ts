import { setTimeout as sleep } from 'node:timers/promises'
import { get } from './rest-player.ts'

/** Returns URLs that guests read all the time, so their responses are cached. */
export function keptPaths(tokenId: number): string[] {
  return [
    '/api/tokens',
    `/api/tokens/${tokenId}`,
    `/api/tokens/${tokenId}/trades`,
    `/api/tokens/${tokenId}/holders`,
    `/api/charts/${tokenId}`,
    '/api/leaderboard',
  ]
}

/** Waits until a URL returns a fresh response. Throws after too long. */
export async function untilFresh(address: string): Promise<void> {
  for (let tries = 0; tries < 1_200; tries++) {
    const { status, headers } = await get(address)
    if (status === 200 && !headers.has('warning')) return
    await sleep(100)
  }
  throw new Error(`${address} is still old`)
}
