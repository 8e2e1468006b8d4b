import { setTimeout as sleep } from 'node:timers/promises'
import { createPapermoonClient } from '../src/index.ts'

const AGAIN_AFTER_MS = 50

/** An event, reduced to the fields that identify it; `what` is the trade's id or the event's type. */
export interface SeenEvent {
  readonly tokenId: number
  readonly seq: number
  readonly what: string
}

/** A subscriber with the typed client, which resumes automatically. */
export interface Watcher {
  /** All events received over all connections. */
  readonly seen: SeenEvent[]
  /** Errors that ended a subscription. */
  readonly failures: unknown[]
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
  const seen: SeenEvent[] = []
  const failures: unknown[] = []
  const handlers = {
    onData: ({ data }: { data: MarketEvent }) => void seen.push(toSeenEvent(data)),
    onError: (error: unknown) => void failures.push(error),
    onComplete: () => void failures.push('a subscription ended'),
  }
  for (const tokenId of tokens) api.live.token.subscribe({ tokenId, lastEventId: '0' }, handlers)
  return {
    seen,
    failures,
    connections: () => connections,
    cut: () => {
      for (const socket of open) socket.close()
    },
    close,
  }
}

/** A bot on plain `/ws`, which receives only new events. */
export interface Bot {
  /** The events received, one list per connection. */
  readonly connections: SeenEvent[][]
  close(): void
}

/** Resolves once connected, and reconnects at once after each disconnection. */
export async function listen(url: string): Promise<Bot> {
  const connections: SeenEvent[][] = []
  let isClosed = false
  let socket: WebSocket
  const open = (): Promise<void> => {
    const received: SeenEvent[] = []
    connections.push(received)
    socket = new WebSocket(new URL('/ws', url.replace('http', 'ws')))
    socket.onmessage = ({ data }) => void received.push(toSeenEvent(JSON.parse(data)))
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

function toSeenEvent(event: MarketEvent): SeenEvent {
  const { tokenId, seq, type } = event
  return { tokenId, seq, what: event.type === 'trade' ? `trade ${event.trade.id}` : type }
}
