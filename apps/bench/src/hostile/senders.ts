import { HttpConnection } from '../load/http-connection.ts'
import { openSocket } from '../sockets/open-socket.ts'
import type { Gadget } from './gadgets.ts'

const BATCH = 20
const MUTATION = 'auth.logout'
const QUERY = 'auth.me'

/** A client of one transport that sends a call and waits for its answer. */
export interface GadgetSender {
  /** Resolves to whether the call was accepted or refused as bad input; rejects for any other answer. */
  send(): Promise<void>
  close(): void
}

export type Door = 'POST' | 'GET' | 'batch' | 'socket'

export function openSender(door: Door, port: number, gadget: Gadget): Promise<GadgetSender> {
  return door === 'socket' ? overSocket(port, gadget) : overHttp(formatRequest(door, port, gadget), port)
}

async function overHttp(request: string, port: number): Promise<GadgetSender> {
  const connection = await HttpConnection.open(port)
  return {
    send: async () => {
      const status = await connection.send(request)
      if (status !== 200 && status !== 400) throw new Error(`${status} for a call`)
    },
    close: () => connection.close(),
  }
}

function formatRequest(door: Exclude<Door, 'socket'>, port: number, { input }: Gadget): string {
  if (door === 'GET') {
    return `GET /trpc/${QUERY}?input=${encodeURIComponent(input)} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n\r\n`
  }
  const isBatch = door === 'batch'
  const path = isBatch ? `${new Array<string>(BATCH).fill(MUTATION).join(',')}?batch=1` : MUTATION
  const body = isBatch ? formatBatch(input) : input
  const head = [`POST /trpc/${path} HTTP/1.1`, `Host: 127.0.0.1:${port}`, 'Content-Type: application/json']
  return [...head, `Content-Length: ${body.length}`, '', body].join('\r\n')
}

/** Formats as many calls as fit into a batch and a body. */
function formatBatch(input: string): string {
  const fitting = Math.min(BATCH, Math.floor(32_000 / input.length))
  return `{${Array.from({ length: fitting }, (_, i) => `"${i}":${input}`).join(',')}}`
}

async function overSocket(port: number, { input }: Gadget): Promise<GadgetSender> {
  let answered: PromiseWithResolvers<void> | null = null
  const socket = await openSocket(
    { port, path: '/trpc' },
    { text: () => answered?.resolve(), lost: (reason) => answered?.reject(new Error(reason)) },
  )
  const message = `{"id":1,"method":"mutation","params":{"path":"${MUTATION}","input":${input}}}`
  return {
    send: () => {
      answered = Promise.withResolvers()
      socket.send(message)
      return answered.promise
    },
    close: () => socket.close(),
  }
}
