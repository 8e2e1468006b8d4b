import type { DatabaseClient, Db } from '@papermoon/db'
import { sql } from 'kysely'
import { type DemoWorld, findDemoWorld, moveDemoWorld } from '../../house/demo-world.ts'
import { CommandError, UsageError } from '../run-command.ts'

const USAGE = 'The command demo takes off or status.'

/**
 * `demo off` makes the demo world's bots sell everything and leave. `demo status` reports their progress. Returns a
 * sentence for the operator.
 */
export async function demo({ db }: Pick<DatabaseClient, 'db'>, what: string): Promise<string> {
  if (what !== 'off' && what !== 'status') throw new UsageError(USAGE)
  if (what === 'off') return await turnOff({ db })
  const world = await findDemoWorld(db)
  return world === null ? 'This market has no demo world.' : describe(world, await sumHouseBags(db))
}

async function turnOff({ db }: Pick<DatabaseClient, 'db'>): Promise<string> {
  if (await moveDemoWorld(db, ['writing'], 'retired')) return 'The demo world will not be created.'
  if (await moveDemoWorld(db, ['running'], 'retiring')) {
    return 'The house bots sell their holdings slowly and leave, while a server with DEMO on runs. Their tokens and trades stay.'
  }
  const world = await findDemoWorld(db)
  throw new CommandError(world === null ? 'This market has no demo world.' : describe(world, await sumHouseBags(db)))
}

function describe(world: DemoWorld, { bots, holdings, worth }: HouseBags): string {
  const bags = `${bots} of the bots hold ${holdings} bags worth ${worth} SOL`
  switch (world.state) {
    case 'writing':
      return 'The server writes the history of the demo world now, or at its next start.'
    case 'running':
      return `The demo world has run since ${formatDay(world.began_at)}: ${bags}.`
    case 'retiring':
      return `The demo world is closing: ${bags}.`
    case 'retired':
      return `The demo world closed on ${formatDay(world.retired_at ?? world.began_at)}.`
  }
}

const formatDay = (time: Date): string => time.toISOString().slice(0, 10)

/** The house bots' holdings in tokens that are still open. */
export interface HouseBags {
  /** Number of bots that have holdings. */
  readonly bots: number
  readonly holdings: number
  /** Value of the bots' holdings in SOL at the current prices, with two decimals. */
  readonly worth: string
}

export async function sumHouseBags(db: Db): Promise<HouseBags> {
  const { rows } = await sql<HouseBags>`
    select count(distinct h.user_id)::int as bots, count(*)::int as holdings,
           round(coalesce(sum(h.amount * p.price), 0), 2)::text as worth
      from holdings h join users u on u.id = h.user_id join pools p on p.token_id = h.token_id
     where u.kind = 'house' and h.amount > 0 and p.rugged_at is null`.execute(db)
  return rows[0] ?? { bots: 0, holdings: 0, worth: '0' }
}
