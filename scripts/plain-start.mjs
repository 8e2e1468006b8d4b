import { spawn } from 'node:child_process'
import { createServer } from 'node:net'
import { createInterface } from 'node:readline'
import { fail } from './lib/project.mjs'
import { preparePlainUser } from './lib/tests/unprivileged.mjs'

/**
 * Starts Papermoon as the README says, as an unprivileged user on a fresh copy without Redis and Chromium. A player
 * registers, launches and buys; then Ctrl-C must stop everything. Exits with 1 if any of this fails.
 */
const startWithinMs = 5 * 60_000
const stopWithinMs = 60_000

const { reason, name, options } = preparePlainUser()
if (reason !== undefined) fail(`Papermoon was not started as a plain user: ${reason}.`)
const port = await findFreePort()
const env = { ...options.env, PORT: String(port) }
const server = spawn('npm', ['start'], { ...options, env, detached: true, stdio: ['ignore', 'pipe', 'inherit'] })
const exit = new Promise((resolve) => server.once('exit', (code) => resolve(code)))
process.once('exit', () => killGroup('SIGKILL'))

const url = await within(startWithinMs, Promise.race([readUrl(), exit.then(() => null)]), 'start')
if (typeof url !== 'string') fail('Papermoon ended before it had started.')
await trade(url)
killGroup('SIGINT')
const code = await within(stopWithinMs, exit, 'stop')
if (code !== 0) fail(`Papermoon stopped with exit code ${code}.`)
process.stdout.write(`A start as ${name}: a player registered, launched and bought; then everything stopped.\n`)
process.exit(0)

async function readUrl() {
  for await (const line of createInterface(server.stdout)) {
    process.stdout.write(`${line}\n`)
    const match = /Papermoon is at (\S+)/.exec(line)
    if (match) return match[1]
  }
  return null
}

async function trade(base) {
  const account = { username: 'plain', email: 'plain@papermoon.example', wallet: 'none', password: 'moonlit-kite' }
  const registered = await post(`${base}/api/auth/register`, account)
  const cookie = registered.headers
    .getSetCookie()
    .map((it) => it.split(';')[0])
    .join('; ')
  const launched = await post(`${base}/api/tokens/launch`, { name: 'Plain Moon', symbol: 'PLAIN' }, cookie)
  const { id } = await launched.json()
  await post(`${base}/api/tokens/buy`, { tokenId: id, solAmount: '2.5' }, cookie)
}

async function post(address, body, cookie = '') {
  const headers = { accept: 'application/json', 'content-type': 'application/json', cookie }
  const response = await fetch(address, { method: 'POST', headers, body: JSON.stringify(body) })
  if (!response.ok) fail(`${address} answered ${response.status}: ${await response.text()}`)
  return response
}

function findFreePort() {
  return new Promise((resolve) => {
    const probe = createServer().listen(0, '127.0.0.1', () => {
      const { port: free } = probe.address()
      probe.close(() => resolve(free))
    })
  })
}

async function within(ms, promise, what) {
  const late = Symbol(what)
  const result = await Promise.race([promise, new Promise((resolve) => setTimeout(resolve, ms, late))])
  if (result === late) fail(`Papermoon did not ${what} within ${ms / 1000} seconds.`)
  return result
}

function killGroup(signal) {
  try {
    process.kill(-server.pid, signal)
  } catch {
    // The process has ended already.
  }
}
