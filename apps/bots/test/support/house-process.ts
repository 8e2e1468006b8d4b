import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { compileCache } from '@papermoon/db/testing'

const HOUSE = fileURLToPath(new URL('../../src/house.ts', import.meta.url))

export interface LogLine {
  readonly level: number
  readonly msg: string
  readonly [field: string]: unknown
}

/** The live runner in its own process. */
export interface HouseProcess {
  readonly pid: number
  /** What it logged, oldest first. */
  readonly lines: readonly LogLine[]
  write(line: string): void
  /** Ends its input, which closes it. */
  closeInput(): void
  kill(signal: 'SIGTERM' | 'SIGKILL'): void
  /** The exit code; null if a signal ended it. */
  readonly ended: Promise<number | null>
}

export function startHouseProcess(input: string, args: readonly string[] = []): HouseProcess {
  const child = spawn(process.execPath, [HOUSE, ...args], { env: compileCache, stdio: ['pipe', 'ignore', 'pipe'] })
  const ended = once(child, 'close').then(([code]) => code as number | null)
  const lines: LogLine[] = []
  let rest = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    const parts = (rest + text).split('\n')
    rest = parts.pop() ?? ''
    lines.push(...parts.map((part) => JSON.parse(part) as LogLine))
  })
  child.stdin.on('error', () => {})
  const write = (line: string) => void child.stdin.write(`${line}\n`)
  if (input !== '') write(input)
  return {
    pid: child.pid ?? 0,
    lines,
    write,
    closeInput: () => void child.stdin.end(),
    kill: (signal) => void child.kill(signal),
    ended,
  }
}
