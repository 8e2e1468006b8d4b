import { join } from 'node:path'
import { Decimal, SOL_DECIMALS } from '@papermoon/amm'
import { computeHouseGrant } from '@papermoon/bots'
import type pg from 'pg'
import type { AppPart } from '../context.ts'
import type { PeriodicJob } from '../lib/periodic-job.ts'
import { BotTalk, type WriteLine } from './bot-talk.ts'
import { grantToHouseBot } from './create-house-bots.ts'
import type { HistoryFigures } from './demo-keeper.ts'
import { startDemoKeeper } from './demo-keeper.ts'
import { findHouseBots, type HouseBot, retireHouseBots } from './house-bots.ts'
import { characters, type HouseApp, WorkingBots } from './working-bots.ts'

const HISTORY_COMMAND = join(import.meta.dirname, '../commands/write-demo-world.ts')

export interface DemoParts {
  readonly app: HouseApp & AppPart<'clock' | 'history'>
  readonly pool: pg.Pool
  /** Whether this process created the demo world. */
  readonly hasBegun: boolean
  onWritten?(figures: HistoryFigures): void
  readonly writeLine: WriteLine
}

/** Starts running the demo world when the server listens. */
export function startDemoWorld({ app, pool, hasBegun, onWritten, writeLine }: DemoParts): PeriodicJob {
  const bots = new WorkingBots(app, { talk: new BotTalk(app, writeLine) })
  const findOwn = async () => (await findHouseBots(app.platform.db)).filter(({ username }) => characters.has(username))
  return startDemoKeeper({
    app,
    pool,
    hasBegun,
    historyCommand: HISTORY_COMMAND,
    bots,
    ...(onWritten && { onWritten }),
    payBots: async () => {
      for (const bot of await findOwn()) bots.addGrant(bot.id, await pay(app, bot))
    },
    closeAccounts: async () => {
      const own = await findOwn()
      await retireHouseBots(
        app.platform.db,
        own.map(({ id }) => id),
      )
    },
  })
}

/**
 * Grants SOL to a bot that has little left, as much as the house may grant. Returns the amount that was granted in SOL.
 */
async function pay(
  { platform: { db, clock } }: AppPart<'db' | 'clock'>,
  { id, status, balance }: HouseBot,
): Promise<number> {
  const amount = new Decimal(computeHouseGrant(Number(balance), 0).toFixed(SOL_DECIMALS))
  if (status !== 'active' || amount.isZero()) return 0
  return (await grantToHouseBot(db, { userId: id, amount, at: clock.now() })).toNumber()
}
