import { openLive } from '@papermoon/client/live'
import { expect, it } from 'vitest'

it.each([
  ['https://moon.example/trpc', 'wss://moon.example/trpc'],
  ['http://localhost:3000/trpc', 'ws://localhost:3000/trpc'],
])('opens the live connection of %s at %s, secure where the page is', async (page, socket) => {
  const opened: string[] = []
  class Silent extends EventTarget {
    readonly readyState = 0
    constructor(url: string | URL) {
      super()
      opened.push(String(url))
    }
    close() {}
  }
  const live = openLive({ url: page, opens: 'now', WebSocket: Silent as unknown as typeof WebSocket })
  await expect.poll(() => opened).toEqual([expect.stringMatching(new RegExp(`^${socket}`))])
  void live.close()
})
