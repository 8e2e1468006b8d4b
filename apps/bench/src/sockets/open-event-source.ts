import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import type { SocketListener } from './open-socket.ts'

const BLOCK_END = '\n\n'

/**
 * Listens to Server-Sent Events from a local port. Events are parsed only as far as counting requires. The promise
 * rejects if the server rejects the stream.
 */
export async function openEventSource(
  { port, path }: { readonly port: number; readonly path: string },
  listener: SocketListener,
): Promise<{ close(): void }> {
  const request = get({ port, path, host: '127.0.0.1', agent: false, headers: { accept: 'text/event-stream' } })
  const [response] = (await once(request, 'response')) as [IncomingMessage]
  if (response.statusCode !== 200) throw new Error(`no events at ${path}: ${response.statusCode}`)
  let rest = Buffer.alloc(0)
  let isClosed = false
  response.on('data', (data: Buffer) => {
    const bytes = rest.length === 0 ? data : Buffer.concat([rest, data])
    let from = 0
    for (let end = bytes.indexOf(BLOCK_END); end >= 0; end = bytes.indexOf(BLOCK_END, from)) {
      const block = bytes.subarray(from, end)
      // A block without an id or data is a comment or the start of the stream.
      if (block.indexOf('id: ') >= 0 && block.indexOf('\ndata: ') >= 0) listener.text(block)
      from = end + BLOCK_END.length
    }
    rest = Buffer.from(bytes.subarray(from))
  })
  const end = () => {
    if (!isClosed) listener.lost('the server closed an event stream')
  }
  request.on('error', end)
  response.on('close', end)
  return {
    close: () => {
      isClosed = true
      request.destroy()
    },
  }
}
