import { mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { BENCH_FOLDER } from '../paths.ts'
import { type CpuProfile, dearestFunctions, type Span } from '../report/cpu-profile.ts'

const FOLDER = join(BENCH_FOLDER, 'profile')
const SHOWN = 25

/** Where a server's processor time goes, by what it was asked at the time. */
export class Profiling {
  readonly #spans = new Map<string, Span[]>()

  /** For the Node of the server. Forgets earlier profiles. */
  start(): string[] {
    rmSync(FOLDER, { recursive: true, force: true })
    mkdirSync(FOLDER, { recursive: true })
    return ['--cpu-prof', `--cpu-prof-dir=${FOLDER}`]
  }

  /** Does something with the server; its time counts for `name`. */
  async during<T>(name: string, work: () => Promise<T>): Promise<T> {
    const fromUs = nowUs()
    const result = await work()
    this.#spans.set(name, [...(this.#spans.get(name) ?? []), { fromUs, untilUs: nowUs() }])
    return result
  }

  /** After the server's end: for each name its dearest functions by self time, as lines. */
  report(): string[] {
    const file = readdirSync(FOLDER).find((name) => name.endsWith('.cpuprofile'))
    if (file === undefined) return ['The server left no profile.']
    const profile: CpuProfile = JSON.parse(readFileSync(join(FOLDER, file), 'utf8'))
    return [...this.#spans].flatMap(([name, spans]) => [
      `\n${name}, self time:`,
      ...dearestFunctions(profile, spans, SHOWN).map(({ place, share }) => {
        return `${(share * 100).toFixed(1).padStart(6)} %  ${place}`
      }),
    ])
  }
}

/** Of the monotonic clock, as a profile has it. */
function nowUs(): number {
  return Number(process.hrtime.bigint() / 1_000n)
}
