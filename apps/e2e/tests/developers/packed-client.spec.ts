import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from '../../support/test.ts'

const ROOT = fileURLToPath(new URL('../../../../', import.meta.url))

/** The parts of the packed client that the page uses. */
interface Packed {
  createPapermoonClient(options: { url: string }): {
    readonly api: {
      readonly tokens: { readonly get: { query(input: { id: number }): Promise<{ name: string; seq: number }> } }
      readonly live: {
        readonly token: {
          subscribe(
            input: { tokenId: number; lastEventId: string },
            handlers: { onData(event: unknown): void; onStarted(): void; onError(error: unknown): void },
          ): void
        }
      }
    }
    close(): Promise<void>
  }
}

test('the packed client calls and follows a market in a browser', { tag: '@chaos' }, async ({
  page,
  server,
  player,
}) => {
  const tokenId = await player.launch({ name: 'Packed Moon', symbol: 'PACK', initialBuyAmount: '0.5' })
  const folder = mkdtempSync(join(tmpdir(), 'papermoon-packed-'))
  try {
    const pnpm = join(ROOT, 'node_modules/.bin/pnpm')
    await promisify(execFile)(pnpm, ['run', 'bundle', '--out', folder], { cwd: join(ROOT, 'packages/client') })
    await page.route('**/packed/*', (route) =>
      route.fulfill({
        contentType: 'text/javascript',
        body: readFileSync(join(folder, basename(new URL(route.request().url()).pathname))),
      }),
    )
    await page.goto(`${server.url}/docs`)
    const watched = await page.evaluateHandle(async (id) => {
      const path = '/packed/index.js'
      const { createPapermoonClient }: Packed = await import(path)
      const { api, close } = createPapermoonClient({ url: location.origin })
      const { name, seq } = await api.tokens.get.query({ id })
      let event: Promise<unknown> = Promise.resolve()
      await new Promise<void>((onStarted, onError) => {
        event = new Promise((onData) => {
          api.live.token.subscribe({ tokenId: id, lastEventId: String(seq) }, { onData, onStarted, onError })
        })
      })
      return { name, event, close }
    }, tokenId)
    expect(await watched.evaluate(({ name }) => name)).toBe('Packed Moon')
    await player.buy(tokenId, '1')
    const event = await watched.evaluate(async (it) => {
      const seen = await it.event
      await it.close()
      return seen
    })
    expect(event).toMatchObject({ data: { type: 'trade', tokenId } })
  } finally {
    rmSync(folder, { recursive: true })
  }
})
