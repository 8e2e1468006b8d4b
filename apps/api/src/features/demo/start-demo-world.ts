import { join } from 'node:path'
import { Decimal, SOL_DECIMALS } from '@papermoon/amm'
import { CHARACTERS, computeHouseGrant } from '@papermoon/bots'
import type pg from 'pg'
import type { App } from '../../context.ts'
import { grantToHouseBot } from '../../house/grant-to-house-bot.ts'
import { findHouseBots, retireHouseBots } from '../../house/house-bots.ts'
import { renewHouseKeys } from '../../house/house-keys.ts'
import { type DemoKeeper, startDemoKeeper } from './demo-keeper.ts'
import type { HistoryFigures } from './history-process.ts'
import { HouseRunner, type RunnerBot } from './house-runner.ts'

const HISTORY_COMMAND = join(import.meta.dirname, '../../commands/write-demo-world.ts')
const RUNNER = join(import.meta.dirname, '../../../../bots/src/house.ts')
/** The runner is on this machine, so a key that leaks is worth nothing elsewhere. */
const NETWORKS = ['127.0.0.0/8', '::1/128']

const characters = new Map(CHARACTERS.map((character) => [character.name, character]))

export interface DemoParts {
  readonly app: Pick<App, 'config' | 'db' | 'log' | 'clock' | 'history'>
  readonly pool: pg.Pool
  /** Port that the server listens on. */
  readonly port: number
  /** Whether this process began the demo world. */
  readonly hasBegun: boolean
  onWritten?(figures: HistoryFigures): void
}

/** Starts the keeper of the demo world, once the server listens. */
export function startDemoWorld({ app, pool, port, hasBegun, onWritten }: DemoParts): DemoKeeper {
  const { config, db, log, clock } = app
  const host = toOwnHost(config.host)
  const networks = /^(127\.|\[::1\]|localhost)/.test(host) ? NETWORKS : []
  const runner = new HouseRunner({
    log,
    script: RUNNER,
    url: `http://${host}:${port}`,
    issueBots: async () =>
      withCharacters(await renewHouseKeys(db, { at: clock.now(), networks, names: [...characters.keys()] })),
  })
  return startDemoKeeper({
    app,
    pool,
    hasBegun,
    historyCommand: HISTORY_COMMAND,
    runner,
    ...(onWritten && { onWritten }),
    payBots: () => payBots({ db, at: clock.now() }),
    closeAccounts: async () => {
      const bots = await findHouseBots(db)
      const own = bots.filter(({ username }) => characters.has(username))
      await retireHouseBots(
        db,
        own.map(({ id }) => id),
      )
    },
  })
}

/** Grants SOL to bots that have little left, as much as the house may. */
async function payBots({ db, at }: { readonly db: App['db']; readonly at: Date }): Promise<void> {
  for (const { id, username, status, balance } of await findHouseBots(db)) {
    if (status !== 'active' || !characters.has(username)) continue
    const amount = new Decimal(computeHouseGrant(Number(balance), 0).toFixed(SOL_DECIMALS))
    if (amount.gt(0)) await grantToHouseBot(db, { userId: id, amount, at })
  }
}

/** The address at which this process reaches its own server. */
function toOwnHost(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1'
  if (host === '::') return '[::1]'
  return host.includes(':') ? `[${host}]` : host
}

/** Bots that an operator created have no character here: somebody else runs them. */
function withCharacters(keys: readonly { readonly name: string; readonly key: string }[]): RunnerBot[] {
  return keys.flatMap(({ name, key }) => {
    const character = characters.get(name)
    return character === undefined ? [] : [{ name, key, character }]
  })
}
