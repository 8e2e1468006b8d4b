import { afterEach, expect, it, vi } from 'vitest'
import { subscribe } from '../../src/lib/api/push.ts'

afterEach(() => vi.unstubAllGlobals())

it('a browser with a subscription of an earlier key, or an expired one, subscribes anew', async () => {
  const calls: string[] = []
  let kept: string | null = 'https://push.example/old'
  const toSubscription = (endpoint: string) => ({
    endpoint,
    toJSON: () => ({ keys: { p256dh: 'B', auth: 'a' } }),
    unsubscribe: async () => {
      kept = null
    },
  })
  const pushManager = {
    getSubscription: async () => kept && toSubscription(kept),
    subscribe: async () => {
      if (kept !== null) throw new DOMException('another applicationServerKey', 'InvalidStateError')
      return toSubscription('https://push.example/new')
    },
  }
  const worker = { pushManager }
  const serviceWorker = { register: async () => worker, ready: worker, getRegistration: async () => worker }
  vi.stubGlobal('navigator', { serviceWorker })
  vi.stubGlobal('Notification', { requestPermission: async () => 'granted' })
  vi.stubGlobal('fetch', async (url: string, { body }: { body: string }) => {
    calls.push(`${new URL(url, 'https://papermoon.example').pathname} ${/push\.example\/\w+/.exec(body)?.[0]}`)
    return Response.json({ result: { data: { json: { ok: true } } } })
  })
  expect(await subscribe('key')).toBe(true)
  expect(calls).toEqual(['/trpc/push.unsubscribe push.example/old', '/trpc/push.subscribe push.example/new'])
})
