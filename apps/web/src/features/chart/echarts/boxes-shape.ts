import * as echarts from 'echarts/core'

/** The shape's name, as the `type` of an element. */
export const BOXES = 'boxes'

interface BoxesShape {
  /** x, from and to of each vertical line. */
  readonly strokes: readonly number[]
  /** left, top, right and bottom of each box. */
  readonly boxes: readonly number[]
}

type Context = Pick<CanvasRenderingContext2D, 'moveTo' | 'lineTo' | 'closePath'>

/** Registers one shape for all candles of a colour; an element for each takes ECharts four times as long. */
export function registerBoxes(): void {
  const shape: BoxesShape = { strokes: [], boxes: [] }
  echarts.graphic.registerShape(
    BOXES,
    echarts.graphic.extendShape({
      type: BOXES,
      shape,
      buildPath: (context: Context, shape: object) => drawBoxes(context, shape as BoxesShape),
    }),
  )
}

export function drawBoxes(context: Context, { strokes, boxes }: BoxesShape): void {
  for (let at = 0; at < strokes.length; at += 3) {
    const [x = 0, from = 0, to = 0] = [strokes[at], strokes[at + 1], strokes[at + 2]]
    context.moveTo(x, from)
    context.lineTo(x, to)
  }
  for (let at = 0; at < boxes.length; at += 4) {
    const [left = 0, top = 0, right = 0, bottom = 0] = [boxes[at], boxes[at + 1], boxes[at + 2], boxes[at + 3]]
    context.moveTo(left, top)
    context.lineTo(right, top)
    context.lineTo(right, bottom)
    context.lineTo(left, bottom)
    context.closePath()
  }
}
