import { connect, createServer, type Socket } from 'node:net'

/**
 * A proxy to one or more servers that acts like a bad network with a load balancer: its connections rotate over the
 * servers and break.
 */
export interface BreakingProxy {
  readonly url: string
  /** Stops breaking connections. */
  mend(): void
  close(): void
}

interface ProxyPlan {
  readonly urls: readonly string[]
  /** Returns after how many bytes from the server the next connection breaks, even within a message. */
  readonly breaksAfter: () => number
}

export async function startBreakingProxy({ urls, breaksAfter }: ProxyPlan): Promise<BreakingProxy> {
  const open = new Set<Socket>()
  let connections = 0
  let isMended = false
  const server = createServer((client) => {
    const target = new URL(urls[connections++ % urls.length] ?? '')
    const upstream = connect(Number(target.port), target.hostname)
    let left = breaksAfter()
    client.on('data', (data) => upstream.write(data))
    upstream.on('data', (data) => {
      client.write(isMended ? data : data.subarray(0, Math.max(0, left)))
      left -= data.length
      if (left <= 0 && !isMended) client.end(() => client.destroy())
    })
    open.add(client)
    client
      .on('error', () => {})
      .on('close', () => {
        open.delete(client)
        upstream.destroy()
      })
    upstream.on('error', () => {}).on('close', () => client.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  return {
    url: `http://127.0.0.1:${address.port}`,
    mend: () => {
      isMended = true
    },
    close: () => {
      for (const socket of open) socket.destroy()
      server.close()
    },
  }
}
