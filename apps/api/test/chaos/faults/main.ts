import { inspect, parseArgs } from 'node:util'
import setUpPostgres from '@papermoon/db/testing/global-setup'
import { away } from './away.ts'
import { bot } from './bot.ts'
import { clients } from './clients.ts'
import { clock } from './clock.ts'
import { disk } from './disk.ts'
import type { Fault, FaultPlan } from './fault.ts'
import { flood } from './flood.ts'
import { hostile } from './hostile/hostile.ts'
import { kills } from './kills.ts'
import { nodes } from './nodes.ts'
import { proxy } from './proxy.ts'
import { restore } from './restore.ts'
import { upgrade } from './upgrade.ts'

const FAULTS: readonly Fault[] = [
  kills,
  away,
  nodes,
  proxy,
  upgrade,
  disk,
  clients,
  flood,
  clock,
  bot,
  restore,
  hostile,
]

const say = (line: string): void => void process.stdout.write(`${line}\n`)

process.exit(
  await main().catch((error: unknown) => {
    process.stderr.write(`${inspect(error)}\n`)
    return 1
  }),
)

/** 0: every promise was kept; 1: the first that was not ends the run; 2: not understood. */
async function main(): Promise<0 | 1 | 2> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      quick: { type: 'boolean', default: false },
      rounds: { type: 'string' },
      seconds: { type: 'string' },
      clients: { type: 'string' },
      rate: { type: 'string' },
      commit: { type: 'string' },
    },
  })
  const unknown = positionals.filter((name) => !FAULTS.some((fault) => fault.name === name))
  if (unknown.length > 0) {
    say(
      `There is no ${unknown.join(', ')}. Faults:\n${FAULTS.map(({ name, about }) => `  ${name}: ${about}`).join('\n')}`,
    )
    return 2
  }
  const { quick: isQuick, rounds, seconds, clients: held, rate, commit } = values
  const plan: FaultPlan = {
    rounds: readSize(rounds, isQuick ? 3 : 50),
    seconds: readSize(seconds, isQuick ? 3 : 30),
    attack: { seconds: readSize(seconds, isQuick ? 10 : 120), perSecond: readSize(rate, 200) },
    clients: readSize(held, isQuick ? 1_000 : 10_000),
    isQuick,
    commit,
    say: (line) => say(`  ${line}`),
  }
  const chosen = positionals.length === 0 ? FAULTS : FAULTS.filter(({ name }) => positionals.includes(name))
  const stopPostgres = await setUpPostgres()
  try {
    for (const fault of chosen) {
      say(`${fault.name}: ${fault.about}`)
      say(`${fault.name}: ${await fault.run(plan)}`)
    }
  } finally {
    await stopPostgres()
  }
  return 0
}

function readSize(text: string | undefined, usual: number): number {
  const size = text === undefined ? usual : Number.parseInt(text, 10)
  if (!(size >= 1)) throw new Error(`${text} is no number of rounds, seconds, clients or requests`)
  return size
}
