// @vitest-environment jsdom
import { act } from 'react'
import { afterEach, expect, it, vi } from 'vitest'
import { render } from '../support/render.tsx'

afterEach(() => {
  localStorage.clear()
  vi.resetModules()
})

/** Renders what two features show of a price, like after a reload. */
async function open() {
  vi.resetModules()
  const { useValueUnit, chooseValueUnit } = await import('../../src/lib/market/value-unit.ts')
  const { Value } = await import('../../src/components/figures/value.tsx')
  function Shown() {
    return <Value price="0.000000032027133633" unit={useValueUnit()} />
  }
  const { host, unmount } = await render([<Shown key="chart" />, <Shown key="panel" />])
  const toShown = () =>
    [...host.querySelectorAll('span[title]')].map((span) => [span.getAttribute('title'), span.textContent])
  return { choose: (unit: 'price' | 'cap') => act(() => chooseValueUnit(unit)), toShown, stop: unmount }
}

it('changes every figure at once, and shows the exact value in the figure’s title', async () => {
  const page = await open()
  expect(page.toShown().map(([title]) => title)).toEqual(['0.000000032027133633', '0.000000032027133633'])
  await page.choose('cap')
  expect(page.toShown()).toEqual([
    ['32.027133633 SOL', '$6.4K'],
    ['32.027133633 SOL', '$6.4K'],
  ])
})

it('stores the market cap as the choice on this device until the price is chosen again', async () => {
  const first = await open()
  await first.choose('cap')
  await first.stop()
  const second = await open()
  expect(second.toShown()[0]).toEqual(['32.027133633 SOL', '$6.4K'])
  await second.choose('price')
  expect(localStorage.length).toBe(0)
})
