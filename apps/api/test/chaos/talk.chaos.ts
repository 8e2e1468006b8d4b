import { setTimeout as sleep } from 'node:timers/promises'
import type { AppRouter } from '@papermoon/contract/router'
import { createTRPCClient, createWSClient, wsLink } from '@trpc/client'
import superjson from 'superjson'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { sayNew } from '../support/words.ts'
import { type KillableServer, startKillableServer } from './support/killable-server.ts'
import { type RestPlayer, registerPlayer } from './support/rest-player.ts'

const WAIT = { timeout: 60_000, interval: 50 }
const AWAY_S = 20

let server: KillableServer
let writer: RestPlayer
let tokenId: number
beforeAll(async () => {
  server = await startKillableServer(undefined, { RATE_LIMIT: 'off' })
  writer = await registerPlayer(server.url)
  tokenId = await writer.launch('Talking Moon')
}, 240_000)
afterAll(() => server?.remove(), 120_000)

/** Rejects where no answer came: the post may be there. */
async function write(): Promise<number> {
  const answer = await fetch(`${server.url}/api/talk`, {
    method: 'POST',
    headers: { cookie: writer.cookie, 'content-type': 'application/json' },
    body: JSON.stringify({ tokenId, text: sayNew() }),
  })
  const { id } = (await answer.json()) as { id: number }
  return id
}

/** All posts, oldest first. */
async function listAll(): Promise<number[]> {
  const ids: number[] = []
  for (;;) {
    const cursor = ids.length === 0 ? '' : `&cursor=${ids.at(-1)}`
    const page = (await (await fetch(`${server.url}/api/talk?tokenId=${tokenId}&limit=100${cursor}`)).json()) as {
      id: number
    }[]
    ids.push(...page.map(({ id }) => id))
    if (page.length < 100) return ids.reverse()
  }
}

/** A page of the talk: the posts that it heard, each once, in the order of arrival. */
class Page {
  readonly heard: number[] = []
  #lastEventId: string | undefined
  #close: (() => Promise<void>) | null = null

  async open(): Promise<void> {
    const { promise: started, resolve } = Promise.withResolvers<void>()
    const socket = createWSClient({ url: `${server.url.replace('http', 'ws')}/trpc`, retryDelayMs: () => 50 })
    const client = createTRPCClient<AppRouter>({
      links: [wsLink<AppRouter>({ client: socket, transformer: superjson })],
    })
    const subscription = client.talk.watch.subscribe(
      { tokenId, lastEventId: this.#lastEventId },
      {
        onStarted: () => resolve(),
        onData: ({ id, data }) => {
          this.#lastEventId = id
          if (!this.heard.includes(data.post.id)) this.heard.push(data.post.id)
        },
      },
    )
    this.#close = async () => {
      subscription.unsubscribe()
      await socket.close()
    }
    await started
  }

  async goOffline(): Promise<void> {
    await this.#close?.()
    this.#close = null
  }
}

it('a page that was offline for twenty seconds gets exactly the posts that it missed, in order', async () => {
  const page = new Page()
  await page.open()
  const seen = [await write(), await write()]
  await vi.waitFor(() => expect(page.heard).toEqual(seen), WAIT)
  await page.goOffline()
  const missed: number[] = []
  for (let second = 0; second < AWAY_S; second++) {
    missed.push(await write())
    await sleep(1_000)
  }
  await page.open()
  await vi.waitFor(() => expect(page.heard).toEqual([...seen, ...missed]), WAIT)
  await page.goOffline()
}, 180_000)

it('kill -9 of the server in the middle of a talk loses no answered post and shows each once', async () => {
  const page = new Page()
  const before = await listAll()
  // It has read them: a stream resumes at a settled place, so the newest of them may come again.
  page.heard.push(...before)
  await page.open()
  const answered: number[] = []
  let isKilled = false
  const writing = (async () => {
    while (!isKilled) {
      const id = await write().catch(() => null)
      if (id !== null) answered.push(id)
    }
  })()
  await vi.waitFor(() => expect(page.heard.length).toBeGreaterThan(before.length + 20), WAIT)
  await server.killApi()
  isKilled = true
  await writing
  await page.goOffline()
  await server.start()
  answered.push(await write())
  const all = (await listAll()).filter((id) => !before.includes(id))
  expect(all).toEqual(expect.arrayContaining(answered))
  await page.open()
  await vi.waitFor(() => expect(page.heard).toEqual([...before, ...all]), WAIT)
  await page.goOffline()
}, 180_000)
