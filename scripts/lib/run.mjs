import { spawn } from 'node:child_process'
import { constants } from 'node:os'
import { environment, root } from './project.mjs'

const stopSignals = ['SIGINT', 'SIGTERM', 'SIGHUP']
/** How long to wait for a server and its database to stop, in ms. */
const stopWithinMs = 45_000
const parentCheckEveryMs = 500
const toGroup = (child, signal) => process.kill(-child.pid, signal)

/**
 * Runs servers, each `{ command, args, options, onStart }`, until all have exited, and returns their exit codes.
 * `onStart` receives the child process. When one server exits, the others are stopped.
 *
 * Each server receives Ctrl-C only once, even if both the terminal and npm send it to this process. An exit of the npm
 * that started this process counts as a signal.
 */
export async function supervise(programs) {
  const children = programs.map(start)
  const { result } = await withSignals(
    children,
    (child, signal) => child.kill(signal),
    async (stop) => {
      const endings = children.map(async (child) => {
        const code = await waitForExit(child)
        stop('SIGTERM')
        return code
      })
      return await Promise.all(endings)
    },
  )
  return result
}

/**
 * Runs one tool and returns `{ code, output }`. The output is printed, or collected with `isQuiet`. Passes a signal to
 * the tool's process group, then exits. Other options are those of `spawn`.
 */
export async function run(command, args, { isQuiet = false, ...options } = {}) {
  const stdio = isQuiet ? ['ignore', 'pipe', 'pipe'] : 'inherit'
  const child = start({ command, args, options: { stdio, ...options } })
  const chunks = []
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => chunks.push(chunk))
  const { result, stoppedBy } = await withSignals([child], toGroup, () => waitForExit(child))
  if (stoppedBy) process.exit(128 + constants.signals[stoppedBy])
  return { code: result, output: Buffer.concat(chunks).toString('utf8') }
}

function start({ command, args, options, onStart }) {
  // Start the child in its own process group, so that it gets the terminal's Ctrl-C only through this process.
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

function waitForExit(child) {
  return new Promise((resolve) => {
    child.once('error', (error) => {
      process.stderr.write(`${error.message}\n`)
      resolve(127)
    })
    child.once('close', (code, signal) => resolve(code ?? 128 + constants.signals[signal]))
  })
}

/** Notices when npm was killed. npm then sends no signal, but this process gets another parent. */
function watchParent(onEnd) {
  const parent = process.ppid
  if (!process.env.npm_lifecycle_event) return undefined
  return setInterval(() => process.ppid !== parent && onEnd(), parentCheckEveryMs)
}
