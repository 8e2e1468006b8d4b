// @vitest-environment jsdom
import { act } from 'react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { blockStorage } from '../support/fresh-page.ts'
import { render } from '../support/render.tsx'

const KEY = 'mantine-color-scheme-value'
let scheme: typeof import('../../src/lib/ui/color-scheme.ts')

beforeEach(async () => {
  localStorage.setItem(KEY, 'dark')
  vi.resetModules()
  scheme = await import('../../src/lib/ui/color-scheme.ts')
})

afterEach(() => {
  vi.unstubAllGlobals()
  localStorage.clear()
})

function Shown() {
  return <output>{scheme.useShownScheme()}</output>
}

const shown = () => [document.querySelector('output')?.textContent, document.documentElement.dataset.mantineColorScheme]

it('a part that loads late shows what another tab has chosen since', async () => {
  localStorage.setItem(KEY, 'light')
  await render(<Shown />)
  expect(shown()).toEqual(['light', 'light'])
})

it('the device’s scheme applies if nothing was chosen', async () => {
  localStorage.clear()
  vi.stubGlobal('matchMedia', () => ({ matches: true, addEventListener() {}, removeEventListener() {} }))
  vi.resetModules()
  scheme = await import('../../src/lib/ui/color-scheme.ts')
  await render(<Shown />)
  expect(shown()).toEqual(['light', 'light'])
})

it('a choice in another tab applies here too', async () => {
  await render(<Shown />)
  expect(shown()).toEqual(['dark', 'dark'])
  localStorage.setItem(KEY, 'light')
  await act(() => dispatchEvent(new StorageEvent('storage', { key: KEY })))
  expect(shown()).toEqual(['light', 'light'])
})

it('a choice on this page remains if nothing can be stored', async () => {
  blockStorage('localStorage')
  scheme.chooseScheme('light')
  await render(<Shown />)
  expect(shown()).toEqual(['light', 'light'])
})
