// @vitest-environment jsdom
import { act } from 'react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { Dialog } from '../../src/components/layout/dialog.tsx'
import { type Rendered, render } from '../support/render.tsx'

let page: Rendered
let opener: HTMLElement

beforeEach(async () => {
  vi.useFakeTimers()
  opener = document.body.appendChild(document.createElement('button'))
  opener.focus()
  page = await render(
    <Dialog title="Sure?" onClose={() => {}}>
      <button type="button" data-autofocus>
        Stay
      </button>
      <button type="button">Leave</button>
    </Dialog>,
  )
})

afterEach(() => void vi.useRealTimers())

it('a dialog does not move the focus if a fast Tab has already moved it', async () => {
  const pressTab = ({ target }: Event) =>
    target?.dispatchEvent(new KeyboardEvent('keydown', { key: 'Tab', bubbles: true, cancelable: true }))
  document.addEventListener('focusin', pressTab, { once: true })
  await act(() => vi.runAllTimers())
  expect(document.activeElement?.textContent).toBe('Leave')
})

it('a dialog returns the focus to the element that opened it', async () => {
  await act(() => vi.runAllTimers())
  expect(document.activeElement).not.toBe(opener)
  await page.show(null)
  expect(document.activeElement).toBe(opener)
})
