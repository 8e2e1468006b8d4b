import { expect, it } from 'vitest'
import { drawLine, HEIGHT, WIDTH } from '../../src/features/home/cards/draw-line.ts'

const points = (line: string) => [...line.matchAll(/[ML](\S+) ([^LV]+)/g)].map(([, x, y]) => [Number(x), Number(y)])

it('a line spans the whole width, with the highest price at the top', () => {
  const { line, trend } = drawLine([1, 3, 2])
  expect(points(line)).toEqual([
    [0, HEIGHT - 2],
    [WIDTH / 2, 2],
    [WIDTH, HEIGHT / 2],
  ])
  expect(trend).toBe('up')
})

it('prices that never change or fall to zero are drawn too', () => {
  expect(drawLine([5, 5])).toMatchObject({ line: `M0 ${HEIGHT / 2}L${WIDTH} ${HEIGHT / 2}`, trend: 'level' })
  expect(drawLine([0, 0]).line).not.toContain('NaN')
  expect(drawLine([2, 0]).trend).toBe('down')
})
