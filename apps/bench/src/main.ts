import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import type { BenchContext, Suite } from './bench.ts'
import { COMPARED, compareCommits } from './compare/compare-commits.ts'
import { ROOT } from './paths.ts'
import { type Machine, machineFacts } from './report/machine.ts'
import type { Measurement } from './report/measurement.ts'
import { measurementTable } from './report/table.ts'
import { age } from './suites/age.ts'
import { engine } from './suites/engine.ts'
import { exploit } from './suites/exploit.ts'
import { fair } from './suites/fair.ts'
import { fanout } from './suites/fanout.ts'
import { growth } from './suites/growth.ts'
import { lighthouse } from './suites/lighthouse.ts'
import { reads } from './suites/reads.ts'
import { storm } from './suites/storm.ts'
import { talk } from './suites/talk.ts'
import { transports } from './suites/transports.ts'
import { waiting } from './suites/waiting.ts'

const SUITES: readonly Suite[] = [
  reads,
  age,
  engine,
  transports,
  storm,
  waiting,
  fanout,
  fair,
  talk,
  growth,
  lighthouse,
  exploit,
]
const RESULTS = join(ROOT, 'bench-results.json')

const say = (line: string): void => void process.stdout.write(`${line}\n`)

process.exitCode = await main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`)
  return 1
})

/**
 * Runs the command. Exit codes are 0: measured, whatever the results; 1: a bench failed to run; 2: invalid arguments.
 */
async function main(): Promise<0 | 1 | 2> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      quick: { type: 'boolean', default: false },
      profile: { type: 'boolean', default: false },
      only: { type: 'string', default: '' },
      rounds: { type: 'string' },
      days: { type: 'string' },
      out: { type: 'string', default: RESULTS },
    },
  })
  const [first, ...rest] = positionals
  const comparison = first === 'compare' ? createComparison(rest) : null
  if (first === 'compare' && comparison === null) {
    say(`npm run bench -- compare COMMIT ${Object.keys(COMPARED).join('|')}`)
    return 2
  }
  const names = comparison !== null ? ['compare'] : positionals
  const suites = comparison !== null ? [comparison] : SUITES
  const unknown = names.filter((name) => !suites.some((suite) => suite.name === name))
  if (unknown.length > 0) {
    say(
      `There is no ${unknown.join(', ')}. Suites:\n${SUITES.map(({ name, about }) => `  ${name}: ${about}`).join('\n')}`,
    )
    return 2
  }
  const { quick: isQuick, profile: isProfiled, only, rounds, days } = values
  const notes: Record<string, string | number> = {}
  const context: BenchContext = {
    isQuick,
    isProfiled,
    only,
    rounds: rounds === undefined ? (isQuick ? 2 : 5) : Math.max(1, Number.parseInt(rounds, 10)),
    days: days === undefined ? undefined : Math.max(2, Number.parseInt(days, 10)),
    roundSeconds: isQuick ? 0.5 : 1.5,
    say,
    note: (name, value) => {
      notes[name] = value
    },
  }
  const isChosen = ({ name, isReady }: Suite) =>
    names.length === 0 ? (isReady?.(context) ?? true) : names.includes(name)
  return await runSuites(suites.filter(isChosen), context, (measured) => {
    writeFileSync(values.out, `${JSON.stringify({ ...measured, notes, isQuick, isProfiled }, null, 2)}\n`)
    say(`\n${values.out}`)
  })
}

/** Creates the comparison of this tree with a commit from the arguments after `compare`; null if they are invalid. */
function createComparison([commit, suite, ...more]: readonly string[]): Suite | null {
  if (commit === undefined || !isCompared(suite) || more.length > 0) return null
  return {
    name: 'compare',
    about: `${suite} of this tree against ${commit}, in turns`,
    run: (context) => compareCommits(context, commit, suite),
  }
}

function isCompared(suite: string | undefined): suite is keyof typeof COMPARED {
  return suite !== undefined && Object.hasOwn(COMPARED, suite)
}

async function runSuites(
  suites: readonly Suite[],
  context: BenchContext,
  keep: (measured: { machine: Machine; measurements: readonly Measurement[] }) => void,
): Promise<0 | 1> {
  const machine = machineFacts()
  say(`${machine.cpu}, ${machine.cores} cores, ${machine.memoryGb} GB, Node ${machine.node}, ${machine.commit}`)
  say('Load, server and database share these cores.')
  const measurements: Measurement[] = []
  let exitCode: 0 | 1 = 0
  for (const suite of suites) {
    say(`\n${suite.name}: ${suite.about}`)
    try {
      const of = await suite.run(context)
      measurements.push(...of)
      say(`\n${measurementTable(of)}`)
    } catch (error) {
      process.stderr.write(`${suite.name} could not run: ${error instanceof Error ? error.stack : String(error)}\n`)
      exitCode = 1
    }
  }
  keep({ machine, measurements })
  return exitCode
}
