import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Program } from '@papermoon/guide'
import { type Filling, fillIn } from '@papermoon/guide/fill-in'

/** The commands that start a program in each language. */
const COMMANDS: Readonly<Record<string, { readonly file: string; readonly command: readonly string[] }>> = {
  bash: { file: 'block.sh', command: ['bash', '-euo', 'pipefail', 'block.sh'] },
  typescript: { file: 'block.mts', command: [process.execPath, 'block.mts'] },
  python: { file: 'block.py', command: ['python3', '-u', 'block.py'] },
}
/** Max time for a program, in ms. The time is long enough for a busy machine. */
const RUN_MAX_MS = 180_000

interface Outcome {
  /** Standard output and standard error, in the order of the writes. */
  readonly output: string
  readonly fault: string | null
}

interface Visit {
  /** The values of the environment variables PORT, SECRET and RIVAL. */
  readonly env?: Readonly<Record<string, string>>
  /** Called after the program has printed `until` and before it is stopped. */
  readonly meet?: () => Promise<void>
}

/** Runs a code block in an empty folder, after filling in a URL and a key. */
export async function runProgram(
  { code, language, until }: Program,
  filling: Filling,
  { env: more, meet = async () => {} }: Visit = {},
): Promise<Outcome> {
  const how = COMMANDS[language]
  if (how === undefined) throw new Error(`nothing runs ${language}`)
  const folder = mkdtempSync(join(tmpdir(), 'papermoon-guide-'))
  writeFileSync(join(folder, how.file), fillIn(code, filling))
  const [command = '', ...args] = how.command
  const { PATH, HOME } = process.env
  // A program that listens needs a free port and the signatures' secret.
  const env = { PATH, HOME, PORT: '0', SECRET: `whsec_${randomBytes(24).toString('base64')}`, ...more }
  const child = spawn(command, args, { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'], detached: true })
  const late = setTimeout(() => stop(child, 'SIGKILL'), RUN_MAX_MS)
  try {
    return await follow(child, until, meet)
  } finally {
    clearTimeout(late)
    rmSync(folder, { recursive: true, force: true })
  }
}

async function follow(child: ChildProcess, until: string | null, meet: () => Promise<void>): Promise<Outcome> {
  let output = ''
  let isReached = false
  let meeting = Promise.resolve()
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding('utf8').on('data', (text: string) => {
      output += text
      if (isReached || until === null || !new RegExp(until).test(output)) return
      isReached = true
      meeting = meet().finally(() => stop(child, 'SIGTERM'))
      // Ignore the error here, because the code below throws it after the program has ended.
      meeting.catch(() => undefined)
    })
  const [code, signal] = await once(child, 'close')
  await meeting
  if (until !== null)
    return { output, fault: isReached ? null : `ended (${code ?? signal}) before it printed ${until}` }
  return { output, fault: code === 0 ? null : `ended with ${code ?? signal}` }
}

/**
 * Ends a program and all processes that it started, such as a script's curl. The program's last output may arrive after
 * it has ended.
 */
function stop({ pid }: ChildProcess, signal: 'SIGTERM' | 'SIGKILL'): void {
  try {
    if (pid !== undefined) process.kill(-pid, signal)
  } catch (error) {
    if (Object(error).code !== 'ESRCH') throw error
  }
}
