import type { DatabaseClient } from '@papermoon/db'
import { type DemoWorld, findDemoWorld, moveDemoWorld } from '../../house/demo-world.ts'
import { type HouseBags, sumHouseBags } from '../../house/house-bags.ts'
import { CommandError, UsageError } from '../command-error.ts'

const USAGE = 'The command demo takes off or status.'

/** `demo off`: lets the bots of the demo world sell out and leave; `demo status`: says how far they are. Returns a sentence. */
export async function demo({ db }: Pick<DatabaseClient, 'db'>, what: string): Promise<string> {
  if (what !== 'off' && what !== 'status') throw new UsageError(USAGE)
  if (what === 'off') return await turnOff({ db })
  const world = await findDemoWorld(db)
  return world === null ? 'This market has no demo world.' : describe(world, await sumHouseBags(db))
}

async function turnOff({ db }: Pick<DatabaseClient, 'db'>): Promise<string> {
  if (await moveDemoWorld(db, ['writing'], 'retired')) return 'The demo world will not be made.'
  if (await moveDemoWorld(db, ['running'], 'retiring')) {
    return 'The bots of the house sell out slowly and leave, while a server with DEMO on runs. Their tokens and trades stay.'
  }
  const world = await findDemoWorld(db)
  throw new CommandError(world === null ? 'This market has no demo world.' : describe(world, await sumHouseBags(db)))
}

function describe(world: DemoWorld, { bots, holdings, worth }: HouseBags): string {
  const bags = `${bots} of the bots hold ${holdings} bags worth ${worth} SOL`
  switch (world.state) {
    case 'writing':
      return 'The history of the demo world is being written, or will be at the next start.'
    case 'running':
      return `The demo world runs since ${formatDay(world.began_at)}: ${bags}.`
    case 'retiring':
      return `The demo world closes: ${bags}.`
    case 'retired':
      return `The demo world closed on ${formatDay(world.retired_at ?? world.began_at)}.`
  }
}

const formatDay = (time: Date): string => time.toISOString().slice(0, 10)
