// @vitest-environment jsdom
import { createServer, type RequestListener, type Server } from 'node:http'
import { afterEach, describe, expect, it } from 'vitest'
import { sendFile } from '../../src/features/settings/pass/send-file.ts'
import { getSentence } from '../../src/lib/api/failure.ts'

const FILE = new Blob(['a paper moon'], { type: 'image/png' })

let server: Server | undefined

afterEach(() => {
  server?.closeAllConnections()
  server?.close()
})

/** Starts a store with this handler and returns its URL. Browsers send a preflight request first. */
async function storeThat(answer: RequestListener): Promise<string> {
  server = createServer((request, response) => {
    response.setHeader('access-control-allow-origin', '*')
    response.setHeader('access-control-allow-methods', 'PUT')
    response.setHeader('access-control-allow-headers', '*')
    if (request.method === 'OPTIONS') response.end()
    else answer(request, response)
  })
  await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('a server without a port')
  return `http://127.0.0.1:${address.port}/objects/uploads/1`
}

function send(url: string, signal = new AbortController().signal, onProgress: (share: number) => void = () => {}) {
  return sendFile(url, FILE, { signal, onProgress })
}

describe('sendFile', () => {
  it('PUTs the bytes of the file and reports the progress', async () => {
    const bodies: string[] = []
    const url = await storeThat(async (request, response) => {
      const chunks: Buffer[] = []
      for await (const chunk of request) chunks.push(chunk)
      bodies.push(`${request.method} ${Buffer.concat(chunks).toString()}`)
      response.end()
    })
    const shares: number[] = []
    await send(url, undefined, (share) => shares.push(share))
    expect(bodies).toEqual(['PUT a paper moon'])
    expect(shares.at(-1)).toBe(1)
  })

  it('fails with the server’s sentence', async () => {
    const url = await storeThat((request, response) => {
      request.resume()
      response.writeHead(413, { 'content-type': 'text/plain; charset=utf-8' }).end('The picture is too large.')
    })
    const failure = await send(url).catch((error: unknown) => error)
    expect(getSentence(failure)).toBe('The picture is too large.')
  })

  const refuse: RequestListener = (request, response) => {
    request.resume()
    response.writeHead(403, { 'content-type': 'application/xml' }).end('<Error/>')
  }
  it.each([
    ['a store rejects it with XML', refuse],
    ['nobody answers', ({ socket }: { readonly socket: { destroy(): void } }) => void socket.destroy()],
  ])('has no sentence when %s', async (_, answer) => {
    const failure = await send(await storeThat(answer)).catch((error: unknown) => error)
    expect(failure).toBeInstanceOf(Error)
    expect(getSentence(failure)).toBeNull()
  })

  it('stops with the abort’s reason, before the start and during the upload', async () => {
    const reason = new Error('the dialog is closed')
    await expect(send('http://127.0.0.1:9/', AbortSignal.abort(reason))).rejects.toBe(reason)
    const controller = new AbortController()
    const url = await storeThat(() => controller.abort(reason))
    await expect(send(url, controller.signal)).rejects.toBe(reason)
  })
})
