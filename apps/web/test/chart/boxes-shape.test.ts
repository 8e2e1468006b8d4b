import { expect, it } from 'vitest'
import { drawBoxes } from '../../src/features/chart/echarts/boxes-shape.ts'
import { CanvasPen, PathPen, type Pen } from '../../src/features/chart/static/static-picture.ts'

/** A candle with both wicks, and a bar below it. */
function draw(pen: Pen): void {
  pen.stroke(10.5, 5, 20)
  pen.box(8.5, 20, 12.5, 40)
  pen.bar(8, 100, 5, 30)
}

it('draws the same lines on the canvas as in the static picture', () => {
  const path = new PathPen()
  draw(path)
  expect(path.text).toBe('M10.5 5V20M8.5 20H12.5V40H8.5ZM8 100v-30h5v30Z')

  const canvas = new CanvasPen()
  draw(canvas)
  const drawn: string[] = []
  drawBoxes(
    {
      moveTo: (x, y) => drawn.push(`M${x} ${y}`),
      lineTo: (x, y) => drawn.push(`L${x} ${y}`),
      closePath: () => drawn.push('Z'),
    },
    canvas,
  )
  expect(drawn.join('')).toBe('M10.5 5L10.5 20M8.5 20L12.5 20L12.5 40L8.5 40ZM8 70L13 70L13 100L8 100Z')
})
