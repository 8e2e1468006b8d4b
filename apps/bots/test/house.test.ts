import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { constants, tmpdir } from 'node:os'
import { join } from 'node:path'
import { STRATEGIES } from '@papermoon/bots'
import { createPapermoonClient } from '@papermoon/client'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { House } from '../src/house/house.ts'
import type { HouseBot } from '../src/house/house-config.ts'
import { createLog } from '../src/lib/log.ts'
import { createBots, createCharacter } from './support/house-bots.ts'
import { type HouseProcess, type LogLine, startHouseProcess } from './support/house-process.ts'
import { startMarket, type TestMarket } from './support/market.ts'

const LOOKS_PER_SECOND = 60
/** Only keeps a test from hanging: on a slow machine, bots rest for up to 30 s after each failure. */
const WAIT_MAX_MS = 240_000
vi.setConfig({ testTimeout: 4 * WAIT_MAX_MS })

let market: TestMarket
let bots: HouseBot[]
beforeAll(async () => {
  market = await startMarket()
  bots = await createBots(market.url, ['ada', 'bo', 'cy', 'dee', 'eli', 'fay'], { tokens: 4 })
})
afterAll(() => market.remove())

const toInput = (seed: number) => JSON.stringify({ url: market.url, seed, bots, looksPerSecond: LOOKS_PER_SECOND })

/** Waits until the bots have made this many more trades. */
async function expectTrades(more: number): Promise<void> {
  const before = await market.countTrades()
  await expect.poll(() => market.countTrades(), { timeout: WAIT_MAX_MS }).toBeGreaterThanOrEqual(before + more)
}

/** Closes the runner; returns how many orders it knows to be done, and how many may be. */
async function close(house: HouseProcess): Promise<{ done: number; unknown: number }> {
  house.closeInput()
  expect(await house.ended).toBe(0)
  const last = house.lines.at(-1)
  expect(last?.msg).toBe('the bots are closed')
  return last as unknown as { done: number; unknown: number }
}

it('repeats what it does not know and doubles nothing when the server is killed and comes back', async () => {
  const before = await market.countTrades()
  const house = startHouseProcess(toInput(1))
  await expectTrades(15)
  await market.stop('SIGKILL')
  await market.start()
  await expectTrades(15)
  const { done, unknown } = await close(house)
  const trades = (await market.countTrades()) - before
  expect(trades).toBeGreaterThanOrEqual(done)
  expect(trades).toBeLessThanOrEqual(done + unknown)
  expect(await market.audit()).toEqual([])
})

it('goes on from what the server says after the runner itself was killed', async () => {
  for (const seed of [2, 3]) {
    const house = startHouseProcess(toInput(seed))
    await expectTrades(8)
    house.kill('SIGKILL')
    expect(await house.ended).toBeNull()
  }
  const house = startHouseProcess(toInput(4))
  await expectTrades(8)
  await close(house)
  expect(house.lines.filter(({ level }) => level > 30)).toEqual([])
  expect(await market.audit()).toEqual([])
})

it('ends with a signal, and says no key', async () => {
  const house = startHouseProcess(toInput(5))
  await expectTrades(1)
  house.kill('SIGTERM')
  expect(await house.ended).toBe(128 + constants.signals.SIGTERM)
  for (const { key } of bots) expect(JSON.stringify(house.lines)).not.toContain(key)
})

it('lets a bot whose strategy throws rest, longer each time, while the others trade', async () => {
  const broken = { ...(bots[0] as HouseBot), character: createCharacter('ada', 'breaks') }
  const { house, closing, lines, ended } = startHouse([broken, ...bots.slice(1)])
  const toPauses = () => lines.filter(({ msg }) => msg.startsWith('a bot broke')).map((line) => line.pauseMs as number)
  await expect.poll(() => toPauses().length, { timeout: WAIT_MAX_MS }).toBeGreaterThanOrEqual(3)
  await expectTrades(3)
  closing.abort()
  expect(await ended).toBe('closed')
  const [first = 0, second = 0, third = 0] = toPauses()
  expect([first >= 500, first <= 1_000]).toEqual([true, true])
  expect([second >= 1_000, second <= 2_000]).toEqual([true, true])
  expect([third >= 2_000, third <= 4_000]).toEqual([true, true])
  expect(house.counts.done).toBeGreaterThan(0)
})

it('leaves out a bot whose key is refused, and refuses to run without any', async () => {
  const refused = { ...(bots[0] as HouseBot), key: 'pm_not-a-key' }
  const { closing, lines, ended } = startHouse([refused, ...bots.slice(1)])
  await expectTrades(1)
  closing.abort()
  await ended
  expect(lines.filter(({ level }) => level > 30)).toMatchObject([{ bot: 'ada', reason: 'This API key is not valid.' }])
  await expect(startHouse([refused]).ended).rejects.toThrow('None of the bots has a key that the server accepts.')
})

it('sells everything and leaves when it is retired', async () => {
  const { house, ended } = startHouse(bots)
  await expectTrades(3)
  house.retire()
  expect(await ended).toBe('retired')
  for (const { key } of bots) {
    const { api } = createPapermoonClient({ url: market.url, apiKey: key })
    const bags = await api.portfolio.get.query({})
    expect(bags.filter(({ cashOutValue }) => Number(cashOutValue) > 0)).toEqual([])
  }
  expect(await market.audit()).toEqual([])
})

it('takes its configuration from a file only if nobody else can read it', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'papermoon-house-'))
  const file = join(folder, 'house.json')
  writeFileSync(file, toInput(6))
  chmodSync(file, 0o644)
  const open = startHouseProcess('', ['--config', file])
  expect(await open.ended).toBe(1)
  expect(open.lines).toMatchObject([{ level: 50, msg: expect.stringContaining(`chmod 600 ${file}`) }])
  chmodSync(file, 0o600)
  const house = startHouseProcess('', ['--config', file])
  await expectTrades(1)
  house.kill('SIGTERM')
  expect(await house.ended).toBe(128 + constants.signals.SIGTERM)
  rmSync(folder, { recursive: true })
})

/** A house in this process, with a strategy that throws beside the usual ones. */
function startHouse(chosen: readonly HouseBot[]) {
  const lines: LogLine[] = []
  const closing = new AbortController()
  const config = { url: market.url, seed: 9, bots: chosen, looksPerSecond: LOOKS_PER_SECOND }
  const strategies = {
    ...STRATEGIES,
    breaks: () => {
      throw new Error('no idea')
    },
  }
  const log = createLog((line) => void lines.push(JSON.parse(line)))
  const house = new House({ config, log, signal: closing.signal, strategies, retiringMs: 1 })
  const ended = house.run()
  ended.catch(() => {})
  return { house, closing, lines, ended }
}
