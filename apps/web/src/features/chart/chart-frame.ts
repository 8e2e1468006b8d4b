import type { Palette } from './chart-palette.ts'
import { axisLabel, type Unit } from './chart-views.ts'

/** Half a label of the time axis: the first is centred under the first place. */
const LEFT = 22
const RIGHT = 80
const BOTTOM = 26
const VOLUME_HEIGHT = 58

export interface FrameInput {
  /** What stands under each place of the time axis. */
  readonly labels: readonly string[]
  readonly unit: Unit
  readonly hasVolume: boolean
  readonly palette: Palette
}

/** What every chart has: the two plots, their axes and the cross-hair. */
export function frameOf({ labels, unit, hasVolume, palette }: FrameInput) {
  const pointerLabel = {
    show: true,
    backgroundColor: palette.text,
    color: palette.surface,
    fontFamily: palette.font,
    padding: [4, 7],
  }
  const pointer = { show: true, label: { show: false }, lineStyle: { color: palette.dim, type: 'dashed' } }
  const time = {
    type: 'category',
    data: labels,
    boundaryGap: true,
    axisTick: { show: false },
    axisLine: { lineStyle: { color: palette.line } },
    splitLine: { show: false },
  }
  const timeLabels = { color: palette.dim, fontFamily: palette.font, hideOverlap: true, interval: 'auto' }
  return {
    animation: false,
    textStyle: { fontFamily: palette.font },
    axisPointer: { link: [{ xAxisIndex: 'all' }] },
    grid: [
      {
        outerBoundsMode: 'none',
        top: 12,
        left: LEFT,
        right: RIGHT,
        bottom: hasVolume ? BOTTOM + VOLUME_HEIGHT + 14 : BOTTOM,
      },
      { outerBoundsMode: 'none', height: hasVolume ? VOLUME_HEIGHT : 0, left: LEFT, right: RIGHT, bottom: BOTTOM },
    ],
    xAxis: [
      { ...time, gridIndex: 0, axisLabel: { ...timeLabels, show: !hasVolume }, axisPointer: pointer },
      {
        ...time,
        gridIndex: 1,
        axisLabel: { ...timeLabels, show: hasVolume },
        axisPointer: hasVolume ? { ...pointer, label: pointerLabel } : { show: false },
      },
    ],
    yAxis: [
      {
        gridIndex: 0,
        position: 'right',
        scale: true,
        // Room for the marks under and over the candles.
        boundaryGap: ['10%', '10%'],
        splitNumber: 5,
        splitLine: { lineStyle: { color: palette.line, opacity: 0.55 } },
        axisLabel: {
          color: palette.dim,
          fontFamily: palette.font,
          formatter: (value: number) => axisLabel(value, unit),
        },
        axisPointer: {
          ...pointer,
          label: { ...pointerLabel, formatter: ({ value }: { value: number }) => axisLabel(value, unit) },
        },
      },
      { gridIndex: 1, position: 'right', show: false, splitNumber: 1 },
    ],
  }
}
