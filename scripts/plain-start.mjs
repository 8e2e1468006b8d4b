import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'

/**
 * `scripts/as-plain-user.sh node scripts/plain-start.mjs`: starts Papermoon as the README says. A player registers,
 * launches and buys; then Ctrl-C must stop everything. Exits with 1 if one of these steps fails.
 */
const withinMs = 5 * 60_000
const env = { ...process.env, PORT: process.env.PORT ?? '3999' }
const server = spawn('npm', ['start'], { env, detached: true, stdio: ['ignore', 'pipe', 'inherit'] })
const exit = once(server, 'exit')
const limit = setTimeout(() => giveUp(`Papermoon did not start and stop within ${withinMs / 1000} seconds.`), withinMs)
try {
  await trade(await readUrl())
} catch (error) {
  giveUp(error.message)
}
process.kill(-server.pid, 'SIGINT')
const [code] = await exit
clearTimeout(limit)
if (code !== 0) giveUp(`Papermoon stopped with exit code ${code}.`)
process.stdout.write('A player registered, launched and bought; then everything stopped.\n')

async function readUrl() {
  for await (const line of createInterface(server.stdout)) {
    process.stdout.write(`${line}\n`)
    const url = /Papermoon is at (\S+)/.exec(line)?.[1]
    if (url) return url
  }
  throw new Error('Papermoon ended before it had started.')
}

async function trade(base) {
  const account = { username: 'plain', email: 'plain@papermoon.example', wallet: 'none', password: 'moonlit-kite' }
  const registered = await post(`${base}/api/auth/register`, account)
  const cookie = registered.headers
    .getSetCookie()
    .map((it) => it.split(';')[0])
    .join('; ')
  const launched = await post(`${base}/api/tokens/launch`, { name: 'Plain Moon', symbol: 'PLAIN' }, cookie)
  await post(`${base}/api/tokens/buy`, { tokenId: (await launched.json()).id, solAmount: '2.5' }, cookie)
}

async function post(address, body, cookie = '') {
  const headers = { accept: 'application/json', 'content-type': 'application/json', cookie }
  const response = await fetch(address, { method: 'POST', headers, body: JSON.stringify(body) })
  if (!response.ok) throw new Error(`${address} answered ${response.status}: ${await response.text()}`)
  return response
}

function giveUp(message) {
  process.stderr.write(`${message}\n`)
  if (server.exitCode === null) process.kill(-server.pid, 'SIGKILL')
  process.exit(1)
}
