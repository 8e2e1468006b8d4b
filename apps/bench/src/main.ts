import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { type BenchContext, runPart, type Suite } from './bench.ts'
import { COMPARED, compareCommits } from './compare/compare-commits.ts'
import { ROOT } from './paths.ts'
import { machineFacts } from './report/machine.ts'
import type { Measurement } from './report/measurement.ts'
import { showMeasurements } from './report/show-measurements.ts'
import { age } from './suites/age.ts'
import { engine } from './suites/engine.ts'
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
]
const RESULTS = join(ROOT, 'bench-results.json')

const say = (line: string): void => void process.stdout.write(`${line}\n`)

process.exitCode = await main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`)
  return 1
})

/**
 * Runs the command `npm run bench`. Exit codes are 0: measured, even if targets were missed; 1: a bench failed to run;
 * 2: invalid arguments.
 */
async function main(): Promise<0 | 1 | 2> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      quick: { type: 'boolean', default: false },
      profile: { type: 'boolean', default: false },
      only: { type: 'string', default: '' },
      rounds: { type: 'string' },
      out: { type: 'string', default: RESULTS },
    },
  })
  const { quick: isQuick, profile: isProfiled, only, rounds } = values
  const context: BenchContext = {
    isQuick,
    isProfiled,
    only,
    rounds: rounds === undefined ? (isQuick ? 2 : 5) : Math.max(1, Number.parseInt(rounds, 10)),
    roundSeconds: isQuick ? 0.5 : 1.5,
    cleanup: new AsyncDisposableStack(),
    say,
  }
  const suites = chooseSuites(positionals, context)
  if (typeof suites === 'string') {
    say(suites)
    return 2
  }
  const machine = machineFacts()
  say(`${machine.cpu}, ${machine.cores} cores, ${machine.memoryGb} GB, Node ${machine.node}, ${machine.commit}`)
  say('Load, server and database share these cores.')
  const { measurements, exitCode } = await runSuites(suites, context)
  writeFileSync(values.out, `${JSON.stringify({ machine, measurements, isQuick, isProfiled }, null, 2)}\n`)
  say(`\n${values.out}`)
  return exitCode
}

/**
 * Returns the suites that the command's arguments name. For wrong arguments, returns a sentence that says what is
 * wrong.
 */
function chooseSuites(words: readonly string[], context: BenchContext): readonly Suite[] | string {
  const [first, commit, compared, ...more] = words
  if (first === 'compare') {
    if (commit === undefined || !isCompared(compared) || more.length > 0) {
      return `npm run bench -- compare COMMIT ${Object.keys(COMPARED).join('|')}`
    }
    const about = `${compared} of this tree against ${commit}, in turns`
    return [{ name: first, about, run: (part) => compareCommits(part, commit, compared) }]
  }
  if (words.length === 0) return SUITES.filter(({ isReady }) => isReady?.(context) ?? true)
  const unknown = words.filter((word) => !SUITES.some(({ name }) => name === word))
  if (unknown.length === 0) return SUITES.filter(({ name }) => words.includes(name))
  return `There is no ${unknown.join(', ')}. Suites:\n${SUITES.map(({ name, about }) => `  ${name}: ${about}`).join('\n')}`
}

function isCompared(suite: string | undefined): suite is keyof typeof COMPARED {
  return suite !== undefined && Object.hasOwn(COMPARED, suite)
}

async function runSuites(
  suites: readonly Suite[],
  context: BenchContext,
): Promise<{ readonly measurements: readonly Measurement[]; readonly exitCode: 0 | 1 }> {
  const measurements: Measurement[] = []
  let exitCode: 0 | 1 = 0
  for (const suite of suites) {
    say(`\n${suite.name}: ${suite.about}`)
    try {
      const measured = await runPart(context, suite.run)
      measurements.push(...measured)
      showMeasurements(measured)
    } catch (error) {
      process.stderr.write(`${suite.name} could not run: ${error instanceof Error ? error.stack : String(error)}\n`)
      exitCode = 1
    }
  }
  return { measurements, exitCode }
}
