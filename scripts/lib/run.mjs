import { spawn } from 'node:child_process'
import { constants } from 'node:os'
import { environment, root } from './project.mjs'

const stopSignals = ['SIGINT', 'SIGTERM', 'SIGHUP']
/** More than a clean stop of server and database takes. */
const stopWithinMs = 45_000
const parentCheckEveryMs = 500

/**
 * Runs servers, each `{ command, args, options, onStart }`, until all have ended, and returns their exit codes. `onStart`
 * gets the child process. A signal to us goes to each of them once, however often it arrives (Ctrl-C comes from the terminal and again from npm); the end of
 * the npm that started us counts as one. When one server ends, so do the others.
 */
export async function supervise(programs) {
  const children = programs.map(start)
  const { result } = await withSignals(
    children,
    (child, signal) => child.kill(signal),
    async (stop) => {
      const endings = children.map(async (child) => {
        const code = await endOf(child)
        stop('SIGTERM')
        return code
      })
      return await Promise.all(endings)
    },
  )
  return result
}

/**
 * Runs one tool to its end and returns `{ code, output, isLate }`. The output is collected instead of shown with
 * `isQuiet`, and both with `isTeed`. A signal goes to the tool and all it started, and ends this process after it. After
 * `timeoutMs` the tool and all it started are ended. Other options are those of `spawn`.
 */
export async function run(command, args, { isQuiet = false, isTeed = false, timeoutMs, ...options } = {}) {
  const stdio = isQuiet || isTeed ? ['ignore', 'pipe', 'pipe'] : 'inherit'
  const child = start({ command, args, options: { stdio, ...options } })
  const chunks = []
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => chunks.push(chunk))
  if (isTeed) {
    child.stdout.pipe(process.stdout, { end: false })
    child.stderr.pipe(process.stderr, { end: false })
  }
  const limit = limitTime(child, timeoutMs)
  const { result, stoppedBy } = await withSignals([child], signalGroup, () => endOf(child))
  limit.clear()
  if (stoppedBy) process.exit(128 + constants.signals[stoppedBy])
  return { code: result, output: Buffer.concat(chunks).toString('utf8'), isLate: limit.isLate() }
}

/** Ends the group of `child` after `timeoutMs`; without one, never. */
function limitTime(child, timeoutMs) {
  if (timeoutMs === undefined) return { isLate: () => false, clear: () => {} }
  let isLate = false
  let killTimer
  const timer = setTimeout(() => {
    isLate = true
    signalGroup(child, 'SIGTERM')
    killTimer = setTimeout(() => signalGroup(child, 'SIGKILL'), stopWithinMs)
  }, timeoutMs)
  return {
    isLate: () => isLate,
    clear: () => {
      clearTimeout(timer)
      clearTimeout(killTimer)
    },
  }
}

function start({ command, args, options, onStart }) {
  // A group of its own, so that the terminal's Ctrl-C reaches it through us alone.
  const child = spawn(command, args, { cwd: root, env: environment, detached: true, stdio: 'inherit', ...options })
  onStart?.(child)
  return child
}

async function withSignals(children, send, work) {
  let stoppedBy
  const sendToAll = (signal) => {
    for (const child of children) if (isRunning(child)) send(child, signal)
  }
  const stop = (signal) => {
    if (stoppedBy) return
    stoppedBy = signal
    sendToAll(signal)
    setTimeout(() => sendToAll('SIGKILL'), stopWithinMs).unref()
  }
  for (const signal of stopSignals) process.on(signal, stop)
  const parentCheck = watchParent(() => stop('SIGTERM'))
  const result = await work(stop)
  clearInterval(parentCheck)
  for (const signal of stopSignals) process.off(signal, stop)
  return { result, stoppedBy }
}

function isRunning(child) {
  return child.pid !== undefined && child.exitCode === null && child.signalCode === null
}

function signalGroup(child, signal) {
  process.kill(-child.pid, signal)
}

function endOf(child) {
  return new Promise((resolve) => {
    child.once('error', (error) => {
      process.stderr.write(`${error.message}\n`)
      resolve(127)
    })
    child.once('close', (code, signal) => resolve(code ?? 128 + constants.signals[signal]))
  })
}

/** npm that is killed outright tells nobody: its children only get another parent. */
function watchParent(onEnd) {
  const parent = process.ppid
  if (!process.env.npm_lifecycle_event) return undefined
  return setInterval(() => process.ppid !== parent && onEnd(), parentCheckEveryMs)
}
