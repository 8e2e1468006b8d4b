import { connect, createServer, type Socket } from 'node:net'

/** A way to one or more servers, as a bad network or a balancer is: each connection goes to the next, and breaks. */
export interface BreakingRoad {
  readonly url: string
  /** From now on no connection breaks by itself. */
  mend(): void
  close(): void
}

interface RoadPlan {
  /** Of the servers. */
  readonly urls: readonly string[]
  /** After how many bytes from the server each next connection breaks, be it within a message. */
  readonly breaksAfter: () => number
}

export async function openRoad({ urls, breaksAfter }: RoadPlan): Promise<BreakingRoad> {
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
