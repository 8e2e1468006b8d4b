// @vitest-environment jsdom
import { act } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'

const KEY = 'mantine-color-scheme-value'
let root: Root
let scheme: typeof import('../../src/lib/ui/color-scheme.ts')

beforeEach(async () => {
  Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true })
  vi.stubGlobal('matchMedia', () => ({ matches: false, addEventListener() {}, removeEventListener() {} }))
  localStorage.setItem(KEY, 'dark')
  vi.resetModules()
  scheme = await import('../../src/lib/ui/color-scheme.ts')
  root = createRoot(document.body.appendChild(document.createElement('div')))
})

afterEach(async () => {
  await act(() => root.unmount())
  localStorage.clear()
  vi.unstubAllGlobals()
})

function Shown() {
  return <output>{scheme.useShownScheme()}</output>
}

const shown = () => [document.querySelector('output')?.textContent, document.documentElement.dataset.mantineColorScheme]

it('a part that loads late shows what another tab has chosen since', async () => {
  localStorage.setItem(KEY, 'light')
  await act(() => root.render(<Shown />))
  expect(shown()).toEqual(['light', 'light'])
})

it('the device’s scheme is followed where nothing was chosen', async () => {
  localStorage.clear()
  vi.stubGlobal('matchMedia', () => ({ matches: true, addEventListener() {}, removeEventListener() {} }))
  vi.resetModules()
  scheme = await import('../../src/lib/ui/color-scheme.ts')
  await act(() => root.render(<Shown />))
  expect(shown()).toEqual(['light', 'light'])
})

it('a choice in another tab is followed', async () => {
  await act(() => root.render(<Shown />))
  expect(shown()).toEqual(['dark', 'dark'])
  localStorage.setItem(KEY, 'light')
  await act(() => dispatchEvent(new StorageEvent('storage', { key: KEY })))
  expect(shown()).toEqual(['light', 'light'])
})

it('a choice of this page stays where nothing can be stored', async () => {
  vi.spyOn(Storage.prototype, 'getItem').mockImplementation(() => {
    throw new Error('blocked')
  })
  vi.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
    throw new Error('blocked')
  })
  scheme.chooseScheme('light')
  await act(() => root.render(<Shown />))
  expect(shown()).toEqual(['light', 'light'])
  vi.restoreAllMocks()
})
