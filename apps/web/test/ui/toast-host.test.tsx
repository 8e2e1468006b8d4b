// @vitest-environment jsdom
import { act } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'

let root: Root

beforeEach(() => {
  Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true })
  // jsdom has neither; the colour scheme reads the first one on import.
  vi.stubGlobal('matchMedia', () => ({ matches: false, addEventListener() {}, removeEventListener() {} }))
  vi.stubGlobal(
    'ResizeObserver',
    class {
      observe() {}
      unobserve() {}
      disconnect() {}
    },
  )
  vi.useFakeTimers()
  root = createRoot(document.body.appendChild(document.createElement('div')))
})

afterEach(async () => {
  await act(() => root.unmount())
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

async function show(afterMs: number): Promise<string> {
  const { ToastHost } = await import('../../src/features/shell/toast-host.tsx')
  vi.advanceTimersByTime(afterMs)
  await act(() => root.render(<ToastHost />))
  return document.querySelector('section')?.textContent ?? ''
}

async function ask(title: string): Promise<void> {
  const { showToast } = await import('../../src/lib/ui/toasts.ts')
  showToast({ title })
}

it('a toast whose code loads slowly is shown late, within half a minute', async () => {
  await ask('Account reset!')
  expect(await show(20_000)).toContain('Account reset!')
})

it('a toast whose code loads for longer is not shown', async () => {
  await ask('Account reset!')
  expect(await show(40_000)).toBe('')
})

it('a toast that has expired is not repeated by a new host', async () => {
  await ask('Account reset!')
  await show(0)
  await act(() => root.unmount())
  root = createRoot(document.body.appendChild(document.createElement('div')))
  expect(await show(6_000)).toBe('')
})
