import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { dismissToast, latestToast, showFailure, showToast } from '../../src/lib/ui/toasts.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

const title = () => latestToast()?.toast.title

it('a failure can be read before news replace it, and anything else replaces it at once', () => {
  showFailure('Could not place the order', null, 'The server didn’t respond.')
  showToast({ title: 'Two new notifications', kind: 'news' })
  expect(title()).toBe('Could not place the order')
  vi.advanceTimersByTime(2_000)
  expect(title()).toBe('Two new notifications')
  showFailure('Could not place the order', null, 'The server didn’t respond.')
  showToast({ title: 'Order placed' })
  expect(title()).toBe('Order placed')
  dismissToast()
})
