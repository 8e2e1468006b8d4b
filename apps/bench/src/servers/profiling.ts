import { mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { BENCH_FOLDER } from '../paths.ts'
import { type CpuProfile, mostExpensiveFunctions, type Span } from '../report/cpu-profile.ts'

const FOLDER = join(BENCH_FOLDER, 'profile')
const SHOWN = 25

/** Profiles a server's CPU time, separately for each kind of load. */
export class Profiling {
  readonly #spans = new Map<string, Span[]>()

  /** Node options for the server. Deletes earlier profiles. */
  start(): string[] {
    rmSync(FOLDER, { recursive: true, force: true })
    mkdirSync(FOLDER, { recursive: true })
    return ['--cpu-prof', `--cpu-prof-dir=${FOLDER}`]
  }

  /** Runs a load; the server's time counts for `name`. */
  async during<T>(name: string, work: () => Promise<T>): Promise<T> {
    const fromUs = nowUs()
    const result = await work()
    this.#spans.set(name, [...(this.#spans.get(name) ?? []), { fromUs, untilUs: nowUs() }])
    return result
  }

  /** After the server's end: formats the most expensive functions by self time of each name. */
  report(): string[] {
    const file = readdirSync(FOLDER).find((name) => name.endsWith('.cpuprofile'))
    if (file === undefined) return ['The server left no profile.']
    const profile: CpuProfile = JSON.parse(readFileSync(join(FOLDER, file), 'utf8'))
    return [...this.#spans].flatMap(([name, spans]) => [
      `\n${name}, self time:`,
      ...mostExpensiveFunctions(profile, spans, SHOWN).map(({ place, share }) => {
        return `${(share * 100).toFixed(1).padStart(6)} %  ${place}`
      }),
    ])
  }
}

/** Monotonic time in µs, as in profiles. */
function nowUs(): number {
  return Number(process.hrtime.bigint() / 1_000n)
}
