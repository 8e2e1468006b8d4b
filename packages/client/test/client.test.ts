import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { type Server, startServer } from '@papermoon/api/testing'
import { procedures } from '@papermoon/contract'
import { EVENT_KINDS, eventStreamInput } from '@papermoon/contract/live'
import type { AppRouter } from '@papermoon/contract/router'
import { createTRPCClient } from '@trpc/client'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { createCallsLink } from '../src/calls.ts'
import { CookieJar } from '../src/cookie-jar.ts'
import { type ClientOptions, createPapermoonClient, type PapermoonClient } from '../src/index.ts'
import { openLive } from '../src/live.ts'

const EXAMPLE = fileURLToPath(new URL('../examples/watch-and-trade.ts', import.meta.url))
const VERIFY_EXAMPLE = fileURLToPath(new URL('../examples/verify-chain.ts', import.meta.url))

let server: Server
let folder: string
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'papermoon-kept-'))
  server = await startServer()
})
afterAll(async () => {
  rmSync(folder, { recursive: true })
  await server.remove()
})

const opened: PapermoonClient[] = []
afterEach(async () => {
  await Promise.all(opened.splice(0).map((client) => client.close()))
})

function client(options: Partial<ClientOptions> = {}): PapermoonClient {
  const made = createPapermoonClient({ url: server.url, ...options })
  opened.push(made)
  return made
}

let players = 0
/** Creates a client with a newly registered player. */
async function player(options: Partial<ClientOptions> = {}): Promise<PapermoonClient> {
  const made = client(options)
  const username = `player-${++players}`
  const email = `${username}@papermoon.example`
  await made.api.auth.register.mutate({ username, email, wallet: 'wallet', password: 'secret-1' })
  return made
}

/** Returns a fetch that records its URLs, and the list of URLs. */
function recordingFetch() {
  const urls: URL[] = []
  const record: typeof fetch = (input, init) => {
    urls.push(new URL(String(input)))
    return fetch(input, init)
  }
  return { urls, fetch: record }
}

/** Subscribes to one token. `upTo` waits for the event with a sequence number. */
function follow({ api }: PapermoonClient, tokenId: number) {
  const seqs: number[] = []
  const waiting = new Map<number, () => void>()
  const subscription = api.live.token.subscribe(
    { tokenId, lastEventId: '0' },
    {
      onData: ({ data }) => {
        seqs.push(data.seq)
        waiting.get(data.seq)?.()
      },
    },
  )
  return {
    seqs,
    stop: () => subscription.unsubscribe(),
    upTo: (seq: number) =>
      seqs.includes(seq) ? Promise.resolve() : new Promise<void>((resolve) => void waiting.set(seq, resolve)),
  }
}

function waitForState({ connection }: PapermoonClient, state: string): Promise<void> {
  if (connection.current().state === state) return Promise.resolve()
  return new Promise((resolve) => {
    const stop = connection.onChange((now) => {
      if (now.state !== state) return
      stop()
      resolve()
    })
  })
}

describe('the example', () => {
  it('registers, launches, watches, buys and exits', async () => {
    const { stdout } = await promisify(execFile)(process.execPath, [EXAMPLE, server.url])
    expect(stdout).toMatch(/^launched: MOON at 0\.00000003 SOL$/m)
    expect(stdout).toMatch(/^bought: \d+\.\d+ for 1\.5 SOL, 98\.48 SOL left$/m)
    expect(stdout).toMatch(/^seen: buy of 1\.5 SOL, now at 0\.0000000\d+ SOL$/m)
  })
})

describe('the example that verifies a chain', () => {
  it('verifies a chain from launch to rug pull, and reports whether it contains a stored head', async () => {
    const { api } = await player()
    const { token } = await api.tokens.launch.mutate({ name: 'Say "moon" 🌙', symbol: 'DOUBT', initialBuyAmount: '1' })
    await api.trading.sell.mutate({ tokenId: token.id, tokenAmount: '1000' })
    await api.trading.rug.mutate({ id: token.id })
    const { head, entries } = await api.proof.chain.query({ id: token.id })
    const run = (...words: string[]) =>
      promisify(execFile)(process.execPath, [VERIFY_EXAMPLE, server.url, String(token.id), ...words])
    expect((await run()).stdout).toBe(`verified: 3 entries, head ${head.hash}\n`)
    const keep = (hash: string | undefined) => {
      const file = join(folder, `${hash}.json`)
      writeFileSync(file, JSON.stringify({ heads: [{ tokenId: token.id, seq: 2, hash }] }))
      return file
    }
    expect((await run(keep(entries[1]?.hash))).stdout).toContain('copy: entry 2 of your copy is on this chain')
    await expect(run(keep(head.hash))).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringContaining('not on this chain'),
    })
  })
})

describe('a client', () => {
  it('keeps the player’s session until they sign out', async () => {
    const { api } = await player()
    expect(await api.auth.me.query()).toMatchObject({ username: `player-${players}`, solBalance: '100' })
    await api.auth.logout.mutate()
    expect(await api.auth.me.query()).toBeNull()
  })

  it('rejects with the message and the code', async () => {
    const refused = client().api.tokens.get.query({ id: 2_000_000_000 })
    await expect(refused).rejects.toMatchObject({ message: 'Token not found.', data: { reason: 'TOKEN_NOT_FOUND' } })
  })

  it('sends batches of at most 20 calls', async () => {
    const recorded = recordingFetch()
    const { api } = client({ fetch: recorded.fetch })
    const answers = await Promise.all(Array.from({ length: 45 }, () => api.site.settings.query()))
    expect(answers).toHaveLength(45)
    const sizes = recorded.urls.map(({ pathname }) => pathname.split(',').length)
    expect(sizes.sort((one, other) => one - other)).toEqual([5, 20, 20])
  })

  it('gets a response to each of more concurrent calls than a server accepts connections', async () => {
    const limited = await startServer({ RATE_LIMIT: 'on' })
    try {
      const { api } = await player({ url: limited.url })
      const { token } = await api.tokens.launch.mutate({ name: 'Paper Moon', symbol: 'MOON' })
      const calls = Array.from({ length: 250 }, () => api.watchlist.add.mutate({ id: token.id }))
      // On a busy machine some calls fail because they wait too long for the same player, but each gets a response.
      const answers = await Promise.allSettled(calls)
      const refusals = answers.flatMap((it) => (it.status === 'rejected' ? [it.reason] : []))
      expect(refusals.filter((error) => error.data?.reason !== 'DATABASE_AWAY')).toEqual([])
    } finally {
      await limited.remove()
    }
  })

  it('sends mutations separately, because the server rejects some of them in a batch', async () => {
    const alone = [...procedures.values()].filter((procedure) => procedure.alone)
    expect(alone.map(({ type }) => type)).toEqual(alone.map(() => 'mutation'))
    const { api } = await player()
    const login = { email: `player-${players}@papermoon.example`, password: 'secret-1' }
    const answers = await Promise.all([api.auth.login.mutate(login), api.auth.login.mutate(login)])
    expect(answers).toEqual([{ ok: true }, { ok: true }])
  })

  it('acts with an API key within its scopes, over HTTP and WebSocket', async () => {
    const owner = await player()
    const { key: apiKey, id } = await owner.api.keys.create.mutate({ name: 'bot', scopes: ['read', 'trade'] })
    const sent: unknown[] = []
    const record: typeof fetch = (url, init) => {
      sent.push(init?.credentials)
      return fetch(url, init)
    }
    const bot = client({ apiKey, fetch: record })
    const { token } = await bot.api.tokens.launch.mutate({ name: 'Bot', symbol: 'BOT', initialBuyAmount: '1' })
    const watched = follow(bot, token.id)
    await watched.upTo(1)
    await expect(bot.api.keys.list.query()).rejects.toMatchObject({ data: { reason: 'API_KEY_NOT_ALLOWED' } })
    // A client with a key sends no cookies in a browser.
    expect(new Set(sent)).toEqual(new Set(['omit']))
    // Revoking the key closes its socket, and the key cannot open another.
    const lost = waitForState(bot, 'offline')
    await owner.api.keys.revoke.mutate({ id })
    await lost
    watched.stop()
  })
})

it('a client follows the orders of its player, with a session or a key', async () => {
  const owner = await player()
  const { key: apiKey } = await owner.api.keys.create.mutate({ name: 'reader', scopes: ['market'] })
  const { id: tokenId } = await owner.api.tokens.launch.mutate({ name: 'Order', symbol: 'ORDER' })
  const after = await findCursor(owner)
  const order = { tokenId, kind: 'buy', solAmount: '1', price: '0.00000001', requestId: 'mine' } as const
  await owner.api.waitingOrders.place.mutate(order)
  for (const one of [owner, client({ apiKey })]) {
    const { value } = await one.events({ types: ['order'], after }).next()
    expect(value).toMatchObject({ type: 'order', data: { symbol: 'ORDER', order: { key: 'mine', state: 'waiting' } } })
  }
  await expect(
    client()
      .events({ types: ['order'] })
      .next(),
  ).rejects.toMatchObject({ status: 401 })
})

/** Returns the current cursor: a server sends it in the gap event for a cursor of another database. */
async function findCursor({ events }: PapermoonClient): Promise<string> {
  const foreign = Buffer.from('1.00000000.1.1').toString('base64url')
  return (await events({ after: foreign }).next()).value?.cursor ?? ''
}

describe('the Python client', () => {
  const read = (file: string) =>
    readFileSync(new URL(`../../../clients/python/src/papermoon/${file}`, import.meta.url), 'utf8')
  const methods = read('client.py')
    .split(/^ {4}def (?=[a-z])/m)
    .slice(1)
  /** Options that the Python method leaves out, because another option covers them or nobody needs them. */
  const LEFT_OUT = {
    tokens: ['cursor', 'direction'],
    trades: ['limit', 'cursor', 'from', 'to'],
    portfolio: ['userId'],
  } as Record<string, readonly string[]>
  /** Fields that the client's helpers send for a method. */
  const SENT: readonly (readonly [RegExp, readonly string[]])[] = [
    [/self\._pages\(.*since, until/, ['from', 'to']],
    [/self\._pages\(/, ['limit', 'cursor']],
    [/self\._order\(/, ['requestId', 'dryRun']],
    // There is one method for each side.
    [/self\._quote\(/, ['tokenId', 'solAmount', 'tokenAmount', 'initialBuyAmount']],
  ]

  it('supports every option of the operations that it calls', () => {
    const missing = methods.flatMap((text) => {
      const [name = ''] = text.split('(')
      const [, path] = /"(\/api\/[^"]*)"/.exec(text.replace('self._quote(', '"/api/quotes"')) ?? []
      if (path === undefined) return []
      const verb = /_transport\.(post|ask)|_order\(|_quote\(/.test(text) ? 'POST' : 'GET'
      const pattern = new RegExp(`^${verb} ${path.replaceAll(/\{[^}]*\}/g, '\\{\\w+\\}')}$`)
      const procedure = [...procedures.values()].find(({ rest }) => pattern.test(String(rest)))
      const wanted = procedure === undefined ? [`an operation at ${path}`] : Object.keys(procedure.input?.shape ?? {})
      const helped = SENT.flatMap(([call, fields]) => (call.test(text) ? fields : []))
      const given = [...helped, ...(LEFT_OUT[name] ?? [])]
      return wanted
        .filter(
          (field) => !given.includes(field) && !procedure?.rest?.includes(`{${field}}`) && !text.includes(`"${field}"`),
        )
        .map((field) => `${name}: ${field}`)
    })
    expect(methods.length).toBeGreaterThan(20)
    expect(missing).toEqual([])
  })

  it('supports every option of the stream, and every type', () => {
    const [, events = ''] = read('events.py').split('async def stream_events')
    for (const word of [...Object.keys(eventStreamInput.shape), ...EVENT_KINDS]) expect(events).toContain(word)
  })
})

describe('the live connection', () => {
  it('is opened by the first subscription and closed after the last', async () => {
    const watcher = await player()
    expect(watcher.connection.current().state).toBe('idle')
    const { id } = await watcher.api.tokens.launch.mutate({ name: 'Idle', symbol: 'IDLE', initialBuyAmount: '1' })
    const watched = follow(watcher, id)
    await watched.upTo(1)
    expect(watcher.connection.current().state).toBe('live')
    watched.stop()
    await waitForState(watcher, 'idle')
  })

  it('resumes after a restart of the server without missing or repeating events', async () => {
    const [trader, watcher] = [await player(), client()]
    const { id } = await trader.api.tokens.launch.mutate({ name: 'Moon', symbol: 'MOON' })
    const buy = () => trader.api.trading.buy.mutate({ tokenId: id, solAmount: '0.1' })
    const watched = follow(watcher, id)
    await buy()
    await watched.upTo(1)
    const lost = waitForState(watcher, 'offline')
    await server.stop('SIGTERM')
    await lost
    await server.start()
    // Buy before and after the watcher has reconnected.
    await buy()
    await buy()
    await waitForState(watcher, 'live')
    await buy()
    await watched.upTo(4)
    expect(watched.seqs).toEqual([1, 2, 3, 4])
  })

  it('can have more subscriptions than fit into a batch, and all of them resume after a SIGKILL', {
    tags: 'nightly',
  }, async () => {
    const trader = await player()
    const { id } = await trader.api.tokens.launch.mutate({ name: 'Many', symbol: 'MANY', initialBuyAmount: '1' })
    const watcher = client()
    const feeds = Array.from({ length: 30 }, () => follow(watcher, id))
    await Promise.all(feeds.map((feed) => feed.upTo(1)))
    const lost = waitForState(watcher, 'offline')
    await server.stop('SIGKILL')
    await lost
    await server.start()
    await trader.api.trading.buy.mutate({ tokenId: id, solAmount: '1' })
    await Promise.all(feeds.map((feed) => feed.upTo(2)))
    expect(new Set(feeds.map((feed) => feed.seqs.join()))).toEqual(new Set(['1,2']))
  })
})

describe('the parts that a page loads separately', () => {
  it('send the page’s urgent calls outside of batches', async () => {
    const { urls, fetch } = recordingFetch()
    const links = [createCallsLink({ url: `${server.url}/trpc`, fetch, alone: ['auth.me'] })]
    const api = createTRPCClient<AppRouter>({ links })
    await Promise.all([api.auth.me.query(), api.site.settings.query(), api.leaderboard.get.query()])
    const paths = urls.map(({ pathname }) => pathname)
    expect(paths.sort()).toEqual(['/trpc/auth.me', '/trpc/site.settings,leaderboard.get'])
  })

  it('open the connection without a subscription, and close it', async () => {
    const { connection, close } = openLive({ url: `${server.url}/trpc`, opens: 'now' })
    expect(connection.current().state).toBe('connecting')
    await new Promise<void>((resolve) => connection.onChange(({ state }) => state === 'live' && resolve()))
    await close()
    expect(connection.current().state).toBe('idle')
  })
})

describe('a cookie jar', () => {
  it('sends cookies back until they expire', () => {
    const jar = new CookieJar()
    expect(jar.header).toBeNull()
    jar.store(
      new Headers([
        ['set-cookie', 'a=1=2; Path=/; HttpOnly'],
        ['set-cookie', 'b=3; Max-Age=60'],
      ]),
    )
    expect(jar.header).toBe('a=1=2; b=3')
    jar.store(new Headers([['set-cookie', 'a=; Path=/; Expires=Thu, 01 Jan 1970 00:00:00 GMT']]))
    jar.store(new Headers([['set-cookie', 'b=3; Max-Age=0']]))
    expect(jar.header).toBeNull()
  })
})
