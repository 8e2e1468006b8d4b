// @vitest-environment jsdom
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { ToastHost } from '../../src/features/shell/toast-host.tsx'
import { showToast } from '../../src/lib/ui/toasts.ts'
import { type Rendered, render } from '../support/render.tsx'

let page: Rendered

beforeEach(() => {
  // jsdom has no ResizeObserver.
  vi.stubGlobal(
    'ResizeObserver',
    class {
      observe() {}
      unobserve() {}
      disconnect() {}
    },
  )
  vi.useFakeTimers()
  showToast({ title: 'Account reset!' })
})

afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

async function show(afterMs: number): Promise<string> {
  vi.advanceTimersByTime(afterMs)
  page = await render(<ToastHost />)
  return document.querySelector('section')?.textContent ?? ''
}

it('a toast whose code loads slowly is shown late, within half a minute', async () => {
  expect(await show(20_000)).toContain('Account reset!')
})

it('a toast whose code loads for longer is not shown', async () => {
  expect(await show(40_000)).toBe('')
})

it('a toast that has expired is not repeated by a new host', async () => {
  await show(0)
  await page.unmount()
  expect(await show(6_000)).toBe('')
})
