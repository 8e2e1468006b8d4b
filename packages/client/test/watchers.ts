import { setTimeout as sleep } from 'node:timers/promises'
import { createPapermoonClient } from '../src/index.ts'

const AGAIN_AFTER_MS = 50

/** What a subscriber was told, as far as its order goes; `what` says which trade, or what else. */
export interface Told {
  readonly tokenId: number
  readonly seq: number
  readonly what: string
}

/** Somebody with the typed client, which resumes by itself. */
export interface Watcher {
  /** All that it was told of some tokens from their beginning, over however many connections. */
  readonly told: Told[]
  /** What went wrong for good. */
  readonly failures: unknown[]
  /** How many sockets it opened. */
  connections(): number
  /** Closes the sockets from this side. */
  cut(): void
  close(): Promise<void>
}

export function watch(url: string, tokens: readonly number[]): Watcher {
  const open = new Set<WebSocket>()
  let connections = 0
  class CutSocket extends WebSocket {
    constructor(...options: ConstructorParameters<typeof WebSocket>) {
      super(...options)
      open.add(this)
      connections++
      this.addEventListener('close', () => open.delete(this))
    }
  }
  const { api, close } = createPapermoonClient({ url, WebSocket: CutSocket })
  const told: Told[] = []
  const failures: unknown[] = []
  const handlers = {
    onData: ({ data }: { data: MarketEvent }) => void told.push(toldOf(data)),
    onError: (error: unknown) => void failures.push(error),
    onComplete: () => void failures.push('a subscription ended'),
  }
  for (const tokenId of tokens) api.live.token.subscribe({ tokenId, lastEventId: '0' }, handlers)
  return {
    told,
    failures,
    connections: () => connections,
    cut: () => {
      for (const socket of open) socket.close()
    },
    close,
  }
}

/** A bot on the plain `/ws`, which only tells what happens from now on. */
export interface Bot {
  /** What it was told, a list a connection. */
  readonly connections: Told[][]
  close(): void
}

/** Resolves when it listens; comes back at once after each loss. */
export async function listen(url: string): Promise<Bot> {
  const connections: Told[][] = []
  let isClosed = false
  let socket: WebSocket
  const open = (): Promise<void> => {
    const told: Told[] = []
    connections.push(told)
    socket = new WebSocket(new URL('/ws', url.replace('http', 'ws')))
    socket.onmessage = ({ data }) => void told.push(toldOf(JSON.parse(data)))
    socket.onclose = () => void (isClosed || sleep(AGAIN_AFTER_MS).then(open))
    return new Promise((resolve) => socket.addEventListener('open', () => resolve()))
  }
  await open()
  return {
    connections,
    close: () => {
      isClosed = true
      socket.close()
    },
  }
}

type MarketEvent = { readonly tokenId: number; readonly seq: number } & (
  | { readonly type: 'trade'; readonly trade: { readonly id: number } }
  | { readonly type: 'token_launched' | 'rug_pull' }
)

function toldOf(event: MarketEvent): Told {
  const { tokenId, seq, type } = event
  return { tokenId, seq, what: event.type === 'trade' ? `trade ${event.trade.id}` : type }
}
