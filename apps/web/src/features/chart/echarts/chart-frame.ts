import type { ValueUnit } from '../../../lib/market/value-unit.ts'
import { axisLabel } from '../data/chart-views.ts'
import type { Palette } from './chart-palette.ts'
import { MARGIN, PRICES_BOTTOM, VOLUME_HEIGHT } from './plot-layout.ts'
import type { PriceScale } from './price-scale.ts'

export interface FrameInput {
  /** Label per slot of the time axis. */
  readonly labels: readonly string[]
  /** Interval of the labels, in slots; by default as many as fit. */
  readonly labelEvery?: number
  readonly scale: PriceScale
  readonly unit: ValueUnit
  readonly hasVolume: boolean
  readonly palette: Palette
}

/** What all charts share: two plots, their axes and the cross-hair. */
export function createFrame(input: FrameInput) {
  const { hasVolume, palette } = input
  return {
    animation: false,
    textStyle: { fontFamily: palette.font },
    axisPointer: { link: [{ xAxisIndex: 'all' }] },
    grid: [
      { outerBoundsMode: 'none', ...MARGIN, bottom: hasVolume ? PRICES_BOTTOM : MARGIN.bottom },
      { outerBoundsMode: 'none', ...MARGIN, top: 'auto', height: hasVolume ? VOLUME_HEIGHT : 0 },
    ],
    xAxis: createTimeAxes(input),
    yAxis: [createPriceAxis(input), { gridIndex: 1, position: 'right', show: false, min: 0, max: 'dataMax' }],
  }
}

/** One per plot; only the lower one has labels. */
function createTimeAxes({ labels, labelEvery, hasVolume, palette }: FrameInput) {
  const time = {
    type: 'category',
    data: labels,
    boundaryGap: true,
    axisTick: { show: false },
    axisLine: { lineStyle: { color: palette.line } },
    splitLine: { show: false },
  }
  const timeLabels = {
    color: palette.dim,
    fontFamily: palette.font,
    hideOverlap: true,
    interval: labelEvery === undefined ? 'auto' : labelEvery - 1,
  }
  const pointer = createPointer(palette)
  return [
    { ...time, gridIndex: 0, axisLabel: { ...timeLabels, show: !hasVolume }, axisPointer: pointer },
    {
      ...time,
      gridIndex: 1,
      axisLabel: { ...timeLabels, show: hasVolume },
      axisPointer: hasVolume ? { ...pointer, label: createPointerLabel(palette) } : { show: false },
    },
  ]
}

function createPriceAxis({ scale, unit, palette }: FrameInput) {
  return {
    gridIndex: 0,
    position: 'right',
    min: scale.min,
    max: scale.max,
    interval: scale.step,
    splitLine: { lineStyle: { color: palette.line, opacity: 0.55 } },
    axisLabel: {
      color: palette.dim,
      fontFamily: palette.font,
      formatter: (value: number) => axisLabel(value, unit),
    },
    axisPointer: {
      ...createPointer(palette),
      label: { ...createPointerLabel(palette), formatter: ({ value }: { value: number }) => axisLabel(value, unit) },
    },
  }
}

/** A line of the cross-hair. */
function createPointer(palette: Palette) {
  return { show: true, label: { show: false }, lineStyle: { color: palette.dim, type: 'dashed' } }
}

/** The value label at the end of a cross-hair line. */
function createPointerLabel(palette: Palette) {
  return {
    show: true,
    backgroundColor: palette.text,
    color: palette.surface,
    fontFamily: palette.font,
    padding: [4, 7],
  }
}
