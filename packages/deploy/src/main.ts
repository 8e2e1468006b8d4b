import { mkdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { planCluster } from './cluster/cluster.ts'
import { backUp, describeMembers, switchOver } from './cluster/operate.ts'
import { isSize, SIZES, startDeployment } from './deployment.ts'
import { listMissingPackages } from './programs/programs.ts'

const HELP = `npm run deploy -- ${SIZES.join(' | ')}   starts it, until Ctrl-C; the data stays in --folder
npm run deploy -- status             machines of a running ha
npm run deploy -- switchover         hands the lead to the synchronous standby
npm run deploy -- backup             a full backup with pgBackRest; --type diff or incr
  --folder .deploy   --port 3000 (of players)   --first-port 5600 (of everything else)   --nodes 2`

const say = (line: string): void => void process.stdout.write(`${line}\n`)

process.exit(
  await main().catch((error: unknown) => {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
    return 1
  }),
)

/** 0: done; 1: it failed, in one sentence; 2: not understood. */
async function main(): Promise<0 | 1 | 2> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      folder: { type: 'string', default: '.deploy' },
      port: { type: 'string', default: '3000' },
      'first-port': { type: 'string', default: '5600' },
      nodes: { type: 'string', default: '2' },
      type: { type: 'string', default: 'full' },
    },
  })
  const [command = '', ...more] = positionals
  const folder = resolve(values.folder)
  const firstPort = readNumber(values['first-port'])
  if (more.length > 0) return explain()
  if (isSize(command)) {
    mkdirSync(folder, { recursive: true })
    await run({ size: command, folder, firstPort, port: readNumber(values.port), nodes: readNumber(values.nodes) })
    return 0
  }
  if (!['status', 'switchover', 'backup'].includes(command)) return explain()
  const missing = listMissingPackages()
  if (missing.length > 0) throw new Error(`These packages are missing: ${missing.join(' ')}.`)
  const plan = planCluster({ folder: join(folder, 'database'), firstPort, network: null })
  if (command === 'status') for (const line of await describeMembers(plan)) say(line)
  if (command === 'switchover') say(`${await switchOver(plan)} leads`)
  if (command === 'backup') {
    await backUp(plan, values.type)
    say('backed up')
  }
  return 0
}

function explain(): 2 {
  say(HELP)
  return 2
}

async function run(options: Parameters<typeof startDeployment>[0]): Promise<void> {
  const stopped = new Promise<void>((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => resolve())
  })
  await using deployment = await startDeployment(options)
  for (const line of deployment.lines) say(line)
  await stopped
  say('stopping')
}

function readNumber(text: string): number {
  const number = Number(text)
  if (!(Number.isSafeInteger(number) && number > 0)) throw new Error(`${text} is no port or number`)
  return number
}
