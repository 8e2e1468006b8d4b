import { createTestDatabase, needs, type TestDatabase } from '@papermoon/db/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ApiProcess, startApi } from '../chaos/support/api-process.ts'
import { getJson, type RestPlayer, registerPlayer, type TradeAnswer } from '../chaos/support/rest-player.ts'
import { makeDataFolder, removeDataFolder } from '../support/data-folder.ts'
import { findLastTag, installRelease, type Release } from '../support/last-release.ts'
import { runProgram } from '../support/run-command.ts'

const tag = await findLastTag()
const INSTALL_MAX_MS = 400_000

/** A player sends orders and reads to servers of two builds in turn. */
describe('the last release on the schema of this build', needs('the tag of the last release', tag !== null), () => {
  let database: TestDatabase
  let release: Release
  let old: ApiProcess
  let own: ApiProcess
  const folders = [makeDataFolder(), makeDataFolder()]
  beforeAll(async () => {
    release = await installRelease(tag ?? '')
    database = await createTestDatabase({ poolMax: 2 })
    const settings = { DATABASE_URL: database.connectionString }
    old = await startApi({ ...settings, DATA_DIR: folders[0] ?? '' }, release.server)
    own = await startApi({ ...settings, DATA_DIR: folders[1] ?? '' })
  }, INSTALL_MAX_MS)
  afterAll(async () => {
    await Promise.all([old?.end('SIGTERM'), own?.end('SIGTERM')])
    for (const folder of folders) removeDataFolder(folder)
    await database?.drop()
  })

  it('can register, launch, trade and rug, also with rows that the other build created', async () => {
    for (const [here, there] of [
      [old, own],
      [own, old],
    ] as const) {
      const player = await registerPlayer(here.url)
      const tokenId = await player.launch('From one build')
      await trade(player, tokenId, here.url)
      await trade(player, tokenId, there.url)
      const rug = await post(player, `${there.url}/api/tokens/${tokenId}/rug`, {})
      expect(rug.status).toBe(200)
    }
  })

  it('responds to a repeat of an order that the other build placed', async () => {
    const player = await registerPlayer(own.url)
    const tokenId = await player.launch('Repeated')
    const order = { tokenId, solAmount: '0.5' }
    const first = await player.order(order, 'the-same', own.url)
    const again = await player.order(order, 'the-same', old.url)
    expect([first.status, again.status]).toEqual([200, 200])
    expect((again.body as TradeAnswer).trade).toMatchObject({ id: (first.body as TradeAnswer).trade.id })
  })

  it('reads the market like this build', async () => {
    const player = await registerPlayer(old.url)
    const tokenId = await player.launch('Read by both')
    await trade(player, tokenId, own.url)
    // Each node receives the other's trades within a second.
    for (const { url } of [old, own])
      await expect.poll(() => getJson(`${url}/api/tokens/${tokenId}`)).toMatchObject({ totalTrades: 2 })
    for (const path of ['', '/trades', '/holders']) {
      const shown = await getJson<object>(`${old.url}/api/tokens/${tokenId}${path}`)
      expect(await getJson(`${own.url}/api/tokens/${tokenId}${path}`)).toMatchObject(shown)
    }
    for (const path of [
      '/api/tokens',
      '/api/leaderboard',
      '/api/portfolio',
      '/api/dashboard',
      `/api/charts/${tokenId}?timeframe=1H`,
    ]) {
      const response = await fetch(`${old.url}${path}`, { headers: { cookie: player.cookie } })
      expect([path, response.status, await response.text()]).toEqual([path, 200, expect.any(String)])
    }
  })

  it('keeps the books exact, by the audits of both builds', async () => {
    const settings = { DATABASE_URL: database.connectionString }
    const exact = { code: 0, stdout: expect.stringContaining('every sum is exact') }
    expect(await runProgram(['audit'], settings)).toMatchObject(exact)
    expect(await runProgram([release.audit], settings)).toMatchObject(exact)
  })

  async function trade(player: RestPlayer, tokenId: number, url: string): Promise<void> {
    const bought = await player.order({ tokenId, solAmount: '1' }, crypto.randomUUID(), url)
    expect([bought.status, bought.body]).toEqual([200, expect.anything()])
    const { tokenAmount } = (bought.body as TradeAnswer).trade
    const sold = await player.order({ tokenId, tokenAmount }, crypto.randomUUID(), url)
    expect(sold.status).toBe(200)
  }

  function post(player: RestPlayer, url: string, body: unknown): Promise<Response> {
    const headers = { 'content-type': 'application/json', cookie: player.cookie }
    return fetch(url, { method: 'POST', headers, body: JSON.stringify(body) })
  }
})
