import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { TokenId, UserId } from '@papermoon/engine'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { auditCopy } from '../../src/commands/backup.ts'
import { FolderLocation } from '../../src/features/backup/location.ts'
import { verifyAside } from '../../src/features/backup/restore.ts'
import { takeBackup } from '../../src/features/backup/take-backup.ts'
import { Vault } from '../../src/features/backup/vault.ts'
import { openSource } from './support/keeper.ts'
import { createOwnMarket, type OwnMarket } from './support/own-market.ts'
import { temporaryFolder } from './support/temporary-folder.ts'

const PLAYERS = 4
/** Number of orders that must be acknowledged between the beginning and the end of the copy. */
const DURING = 20
const LOOK_EVERY_MS = 5

let market: OwnMarket
let players: readonly UserId[]
let token: TokenId
beforeAll(async () => {
  market = await createOwnMarket()
  players = await Promise.all(Array.from({ length: PLAYERS }, () => market.addPlayer('1000')))
  token = await market.launch(players[0] ?? expect.fail(), '1')
})
afterAll(() => market.close())

/** Lets every player place orders until `isOver`; no order may fail. */
function startOrders() {
  const acknowledged: number[] = []
  let isOver = false
  const lanes = players.map(async (player) => {
    while (!isOver) acknowledged.push((await market.buy(player, token, '0.01')).trade.id)
  })
  const stop = async () => {
    isOver = true
    await Promise.all(lanes)
  }
  const until = async (count: number) => {
    while (acknowledged.length < count) await sleep(LOOK_EVERY_MS)
  }
  return { acknowledged, until, stop }
}

/** Delays the first file of the database copy until more orders were acknowledged. */
class SlowLocation extends FolderLocation {
  readonly #orders: ReturnType<typeof startOrders>
  /** The orders that were acknowledged before the copy ended. Empty until then. */
  readonly acknowledged: number[] = []
  #isBegun = false

  constructor(folder: string, orders: ReturnType<typeof startOrders>) {
    super(folder)
    this.#orders = orders
  }

  override async write(name: string, bytes: Buffer): Promise<void> {
    if (!this.#isBegun && /\/(base\.tar|\w+\.copy)/.test(name)) {
      this.#isBegun = true
      await this.#orders.until(this.#orders.acknowledged.length + DURING)
      this.acknowledged.push(...this.#orders.acknowledged)
    }
    await super.write(name, bytes)
  }
}

async function readJournal({ db }: Pick<OwnMarket, 'db'>): Promise<readonly { readonly id: number }[]> {
  const { rows } = await sql<{ id: number }>`select t::text as trade, id from trades t order by id`.execute(db)
  return rows
}

it.each(['backup', 'logical export'])('fails no order beside a %s, whose copy is exact at its moment', async (kind) => {
  const orders = startOrders()
  await orders.until(DURING)
  const before = [...orders.acknowledged]
  const location = new SlowLocation(join(temporaryFolder(), 'backups'), orders)
  const vault = new Vault(location, [])
  let copied: Awaited<ReturnType<typeof readJournal>> = []
  const manifest = await takeBackup(openSource(market), vault, {
    signal: new AbortController().signal,
    isLogical: kind === 'logical export',
    say: () => {},
    verify: (taken) =>
      verifyAside(vault, taken, market.dataDir, async (database) => {
        copied = await readJournal(database)
        return await auditCopy(database)
      }),
  })
  await orders.stop()
  const journal = await readJournal(market)
  expect(manifest.verified).toMatchObject({ differences: 0, trades: copied.length })
  expect(copied).toEqual(journal.slice(0, copied.length))
  const during = location.acknowledged.slice(before.length)
  expect(during.length).toBeGreaterThanOrEqual(DURING)
  const ids = copied.map(({ id }) => id)
  expect(ids).toEqual(expect.arrayContaining(before))
  // An export shows the moment at which it began; a copy of the files shows the moment at which it ended.
  expect(ids.includes(during.at(-1) ?? expect.fail())).toBe(kind === 'backup')
  expect(ids).not.toContain(journal.at(-1)?.id)
  const all = new Set(journal.map(({ id }) => id))
  expect(orders.acknowledged.filter((id) => !all.has(id))).toEqual([])
})
