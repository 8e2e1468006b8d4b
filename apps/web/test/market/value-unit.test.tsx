// @vitest-environment jsdom
import { act } from 'react'
import { createRoot } from 'react-dom/client'
import { afterEach, expect, it, vi } from 'vitest'

afterEach(() => {
  localStorage.clear()
  vi.resetModules()
})

/** Renders what two features show of a price, as after a reload. */
async function render() {
  Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true })
  vi.resetModules()
  const { useValueUnit, chooseValueUnit } = await import('../../src/lib/market/value-unit.ts')
  const { Value } = await import('../../src/components/figures/value.tsx')
  function Shown() {
    return <Value price="0.000000032027133633" unit={useValueUnit()} />
  }
  const host = document.createElement('div')
  const root = createRoot(host)
  await act(() => root.render([<Shown key="chart" />, <Shown key="panel" />]))
  const toShown = () =>
    [...host.querySelectorAll('span[title]')].map((span) => [span.getAttribute('title'), span.textContent])
  return { choose: (unit: 'price' | 'cap') => act(() => chooseValueUnit(unit)), toShown, stop: () => root.unmount() }
}

it('changes every figure at once, and shows the exact value in its title', async () => {
  const page = await render()
  expect(page.toShown().map(([title]) => title)).toEqual(['0.000000032027133633', '0.000000032027133633'])
  await page.choose('cap')
  expect(page.toShown()).toEqual([
    ['32.027133633 SOL', '$6.4K'],
    ['32.027133633 SOL', '$6.4K'],
  ])
  await act(page.stop)
})

it('keeps the market cap on this device until the price is chosen again', async () => {
  const first = await render()
  await first.choose('cap')
  await act(first.stop)
  const second = await render()
  expect(second.toShown()[0]).toEqual(['32.027133633 SOL', '$6.4K'])
  await second.choose('price')
  await act(second.stop)
  expect(localStorage.length).toBe(0)
})
