// @vitest-environment jsdom
import { act } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'

let root: Root
let opener: HTMLElement

beforeEach(async () => {
  Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true })
  // jsdom has none, and the colour scheme reads it on import.
  vi.stubGlobal('matchMedia', () => ({ matches: false, addEventListener() {}, removeEventListener() {} }))
  const { Dialog } = await import('../../src/components/layout/dialog.tsx')
  vi.useFakeTimers()
  root = createRoot(document.body.appendChild(document.createElement('div')))
  opener = document.body.appendChild(document.createElement('button'))
  opener.focus()
  await act(() =>
    root.render(
      <Dialog title="Sure?" onClose={() => {}}>
        <button type="button" data-autofocus>
          Stay
        </button>
        <button type="button">Leave</button>
      </Dialog>,
    ),
  )
})

afterEach(async () => {
  await act(() => root.unmount())
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

it('a dialog leaves the focus where a fast Tab has moved it', async () => {
  const pressTab = ({ target }: Event) =>
    target?.dispatchEvent(new KeyboardEvent('keydown', { key: 'Tab', bubbles: true, cancelable: true }))
  document.addEventListener('focusin', pressTab, { once: true })
  await act(() => vi.runAllTimers())
  expect(document.activeElement?.textContent).toBe('Leave')
})

it('a dialog returns the focus to what opened it', async () => {
  await act(() => vi.runAllTimers())
  expect(document.activeElement).not.toBe(opener)
  await act(() => root.render(null))
  expect(document.activeElement).toBe(opener)
})
