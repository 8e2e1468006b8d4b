import { expect, it } from 'vitest'
import { placeLabels } from '../../src/features/chart/echarts/level-line.tsx'

const scale = { min: 0, max: 100, step: 10 } as never
const plot = { width: 300, height: 400, right: 56 }
const place = (...values: number[]) =>
  placeLabels(
    values.map((value) => ({ name: 'Stop 3.00M', value })),
    scale,
    plot,
  )

it('labels of levels that are close are beside each other, and where there is no room above or below', () => {
  expect(place(20, 80)).toEqual([
    { left: 0, above: 0 },
    { left: 0, above: 0 },
  ])
  expect(place(50, 51, 52)).toEqual([
    { left: 0, above: 0 },
    { left: 89, above: 0 },
    { left: 0, above: 22 },
  ])
})
