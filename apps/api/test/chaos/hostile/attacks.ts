import { randomBytes } from 'node:crypto'
import { type Agent, request } from 'node:http'
import { createConnection } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { WebSocket } from 'ws'
import type { RestPlayer } from '../support/rest-player.ts'

/** An attacker with one IP address and one account, and the server and token to attack. */
export interface Attacker {
  readonly url: string
  readonly address: string
  /** Keeps connections from the attacker's address open. */
  readonly agent: Agent
  /** The attacker's account. */
  readonly account: RestPlayer
  readonly tokenId: number
  /** Functions that close the connections kept open. If there are too many, the oldest is closed. */
  readonly held: (() => void)[]
}

/** Makes one attack. Returns the status of the response, or null without a response. */
type Attack = (attacker: Attacker) => Promise<number | null>

const HELD_MAX = 250
const TYPED_ARRAY = '{"json":{"length":200000000},"meta":{"values":[["typed-array","Uint8Array"]]}}'
const LONG_PATH = `{"json":{"a":null},"meta":{"values":{"${'a.'.repeat(15_000)}a":["undefined"]}}}`
const DEEP = `{"json":${'['.repeat(15_000)}${']'.repeat(15_000)}}`
const MANY_KEYS = `{"json":{${Array.from({ length: 2_500 }, (_, i) => `"k${i}":0`).join(',')}}}`
const random = () => randomBytes(6).toString('hex')

interface Sent {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

function ask(
  { url, agent }: Attacker,
  path: string,
  { method = 'GET', headers = {}, body }: Sent,
): Promise<number | null> {
  return new Promise((resolve) => {
    const sent = request(`${url}${path}`, { agent, method, headers }, (answer) => {
      answer.resume().once('close', () => resolve(answer.statusCode ?? null))
    })
    // The server is expected to close the connection.
    sent.once('error', () => resolve(null))
    sent.end(body)
  })
}

function post(who: Attacker, path: string, body: string, headers: Readonly<Record<string, string>> = {}) {
  return ask(who, path, { method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body })
}

const postSignedIn = (who: Attacker, path: string, body: string) =>
  post(who, path, body, { cookie: who.account.cookie })

function talk(who: Attacker, text: string) {
  return postSignedIn(who, '/api/talk', JSON.stringify({ tokenId: who.tokenId, text }))
}

function hold({ held }: Attacker, end: () => void): null {
  held.push(end)
  if (held.length > HELD_MAX) held.shift()?.()
  return null
}

/** Sends messages over a new socket, which stays open. */
async function sayOverSocket(who: Attacker, messages: readonly string[]): Promise<null> {
  const options = { localAddress: who.address, perMessageDeflate: false, skipUTF8Validation: true }
  const socket = new WebSocket(`${who.url.replace('http', 'ws')}/trpc`, options)
  socket.on('error', () => {})
  socket.on('open', () => {
    for (const message of messages) socket.send(message)
  })
  return hold(who, () => socket.terminate())
}

async function openSlowly(who: Attacker): Promise<null> {
  const { port, hostname: host } = new URL(who.url)
  const socket = createConnection({ port: Number(port), host, localAddress: who.address }).on('error', () => {})
  socket.resume().write('GET /api/tokens HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Slow: ')
  return hold(who, () => socket.destroy())
}

const toCall = (method: string, path: string, input: string) =>
  `{"id":1,"method":"${method}","params":{"path":"${path}","input":${input}}}`

/** All known attacks by name. */
export const attacks: Readonly<Record<string, Attack>> = {
  'typed array by POST': (who) => post(who, '/trpc/auth.logout', TYPED_ARRAY),
  'typed array by GET': (who) => ask(who, `/trpc/auth.me?input=${encodeURIComponent(TYPED_ARRAY)}`, {}),
  'typed array in a batch': (who) =>
    post(
      who,
      `/trpc/${new Array(20).fill('auth.logout').join(',')}?batch=1`,
      `{${Array.from({ length: 20 }, (_, i) => `"${i}":${TYPED_ARRAY}`).join(',')}}`,
    ),
  'typed array over a socket': (who) => sayOverSocket(who, [toCall('mutation', 'auth.logout', TYPED_ARRAY)]),
  'long path': (who) => post(who, '/trpc/auth.logout', LONG_PATH),
  'deep lists': (who) => post(who, '/trpc/auth.logout', DEEP),
  'many keys': (who) => post(who, '/trpc/auth.logout', MANY_KEYS),
  'misspelt guard': (who) =>
    postSignedIn(who, '/api/tokens/buy', `{"tokenId":${who.tokenId},"solAmount":"0.01","minTokenOut":"1"}`),
  'unknown parameters': (who) => ask(who, `/api/tokens?zzz=${random()}`, {}),
  'made-up host': (who) => ask(who, `/token/${who.tokenId}`, { headers: { host: `${random()}.example` } }),
  'huge body': (who) => post(who, '/api/tokens/buy', `{"x":"${'x'.repeat(200_000)}"}`),
  'unreadable messages': (who) => sayOverSocket(who, new Array(50).fill('{"broken')),
  'slow connection': openSlowly,
  'resume from the first event': (who) =>
    sayOverSocket(who, [toCall('subscription', 'live.token', `{"json":{"tokenId":${who.tokenId},"lastEventId":"0"}}`)]),
  'wrong login': (who) =>
    post(who, '/api/auth/login', `{"email":"${random()}@papermoon.example","password":"wrong-1"}`),
  'forgotten password': (who) => post(who, '/api/auth/forgot-password', `{"email":"${random()}@papermoon.example"}`),
  registration: (who) =>
    post(
      who,
      '/api/auth/register',
      `{"username":"${random()}","email":"${random()}@papermoon.example","wallet":"w","password":"${random()}"}`,
    ),
  'upload target': (who) => postSignedIn(who, '/api/objects/upload', '{}'),
  'upload to nowhere': (who) =>
    ask(who, `/objects/uploads/1-${'0'.repeat(32)}`, { method: 'PUT', body: 'x'.repeat(100_000) }),
  'flood of posts': (who) => talk(who, `Words of ${random()} and ${random()}`),
  'marks on a letter': (who) => talk(who, `a${'\u0301'.repeat(10_000)}`),
  reports: (who) => postSignedIn(who, '/api/reports', `{"kind":"token","id":${who.tokenId},"reason":"spam"}`),
  'long lists': (who) => ask(who, '/api/tokens?limit=1000', {}),
}

/** Number of responses per attack and status; "none" means no response. */
type Strikes = Record<string, Record<string, number>>

/** How long the attackers attack, and how often. */
export interface StrikePlan {
  readonly seconds: number
  readonly perSecond: number
}

/** The results of the attacks. */
export interface StrikeReport {
  readonly strikes: Strikes
  /** Attacks started per second on average. */
  readonly perSecond: number
}

/** Starts all attacks of all attackers in turn, at a constant rate, without waiting for responses. */
export async function strikeFor(attackers: readonly Attacker[], plan: StrikePlan): Promise<StrikeReport> {
  const { seconds, perSecond } = plan
  const kinds = Object.entries(attacks)
  const total = seconds * perSecond
  const strikes: Strikes = {}
  const startedMs = performance.now()
  const underWay: Promise<void>[] = []
  for (let count = 0; count < total; count++) {
    const waitMs = startedMs + (count * 1_000) / perSecond - performance.now()
    if (waitMs > 0) await sleep(waitMs)
    const kind = kinds[count % kinds.length]
    const attacker = attackers[Math.floor(count / kinds.length) % attackers.length]
    if (kind === undefined || attacker === undefined) throw new Error('no attack, or nobody to make it')
    const [name, attack] = kind
    underWay.push(attack(attacker).then((status) => countStatus(strikes, name, status)))
  }
  const tookMs = Math.max(performance.now() - startedMs, seconds * 1_000)
  await Promise.all(underWay)
  return { strikes, perSecond: (total * 1_000) / tookMs }
}

function countStatus(strikes: Strikes, name: string, status: number | null): void {
  const key = status === null ? 'none' : String(status)
  strikes[name] = { ...strikes[name], [key]: (strikes[name]?.[key] ?? 0) + 1 }
}
