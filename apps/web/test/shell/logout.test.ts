// @vitest-environment jsdom
import { expect, it, onTestFinished, vi } from 'vitest'
import { logout } from '../../src/features/shell/account/logout.ts'
import { cache } from '../../src/lib/api/api.ts'
import { queryClient } from '../../src/lib/api/query-client.ts'

it('a page that logs out sends no more calls, unless the logout fails', async () => {
  vi.useFakeTimers()
  // Mount the client, because paused queries continue only then.
  queryClient.mount()
  onTestFinished(() => {
    queryClient.unmount()
    queryClient.clear()
  })
  vi.spyOn(console, 'error').mockImplementation(() => {})
  const { promise: answer, reject: lose } = Promise.withResolvers<Response>()
  const asked: string[] = []
  vi.stubGlobal('fetch', (url: string | URL) => {
    asked.push(String(url))
    return answer
  })
  const ended = logout()
  cache.waitingOrders.list.fetch({}).catch(() => {})
  await vi.advanceTimersByTimeAsync(1_000)
  expect(asked).toEqual([expect.stringContaining('auth.logout')])
  lose(new TypeError('no network'))
  await ended
  await vi.advanceTimersByTimeAsync(1_000)
  expect(asked.join()).toContain('waitingOrders.list')
})
