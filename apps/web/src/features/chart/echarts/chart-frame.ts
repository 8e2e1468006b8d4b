import type { ValueUnit } from '../../../lib/market/value-unit.ts'
import { axisLabel } from '../data/chart-views.ts'
import type { Palette } from './chart-palette.ts'
import { isCovered, type LastLabel } from './last-price.ts'
import { MARGIN, type Plot, PRICES_BOTTOM, VOLUME_HEIGHT } from './plot-layout.ts'
import type { PriceScale } from './price-scale.ts'

export interface FrameInput {
  /** Label per slot of the time axis; empty ones are left out. */
  readonly labels: readonly string[]
  /** The cross-hair's label of a slot; by default the slot's own. */
  readonly pointerLabel?: (place: number) => string
  readonly plot: Plot
  /** Where the label of the last price is; null without one. */
  readonly lastLabel: LastLabel | null
  readonly scale: PriceScale
  readonly unit: ValueUnit
  readonly hasVolume: boolean
  readonly palette: Palette
}

/** Parts that all charts share: two plots, their axes and the cross-hair. */
export function createFrame(input: FrameInput) {
  const { hasVolume, palette, plot } = input
  const { top, left, bottom } = MARGIN
  const margin = { top, left, bottom, right: plot.right }
  return {
    animation: false,
    textStyle: { fontFamily: palette.font },
    axisPointer: { link: [{ xAxisIndex: 'all' }] },
    grid: [
      { outerBoundsMode: 'none', ...margin, bottom: hasVolume ? PRICES_BOTTOM : bottom },
      { outerBoundsMode: 'none', ...margin, top: 'auto', height: hasVolume ? VOLUME_HEIGHT : 0 },
    ],
    xAxis: createTimeAxes(input),
    yAxis: [createPriceAxis(input), { gridIndex: 1, position: 'right', show: false, min: 0, max: 'dataMax' }],
  }
}

/** One per plot; only the lower one has labels. */
function createTimeAxes({ labels, pointerLabel, hasVolume, palette }: FrameInput) {
  const time = {
    type: 'category',
    data: labels.map((_, place) => place),
    boundaryGap: true,
    // Named one by one, places are not looked through for each axis and frame.
    axisTick: { show: false, customValues: [] },
    axisLine: { lineStyle: { color: palette.line } },
    splitLine: { show: false },
  }
  const timeLabels = {
    color: palette.dim,
    fontFamily: palette.font,
    customValues: labels.flatMap((label, place) => (label === '' ? [] : [place])),
    formatter: (_: string, place: number) => labels[place] ?? '',
  }
  const pointer = createPointer(palette)
  const timeLabel = {
    ...createPointerLabel(palette),
    formatter: ({ value }: { value: number | string }) => pointerLabel?.(Number(value)) ?? labels[Number(value)] ?? '',
  }
  return [
    { ...time, gridIndex: 0, axisLabel: { ...timeLabels, show: !hasVolume }, axisPointer: pointer },
    {
      ...time,
      gridIndex: 1,
      axisLabel: { ...timeLabels, show: hasVolume },
      axisPointer: hasVolume ? { ...pointer, label: timeLabel } : { show: false },
    },
  ]
}

function createPriceAxis({ scale, plot, lastLabel, unit, palette }: FrameInput) {
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
      formatter: (value: number) =>
        lastLabel !== null && isCovered(value, lastLabel, { scale, plot }) ? '' : axisLabel(value, unit, scale.step),
    },
    axisPointer: {
      ...createPointer(palette),
      label: {
        ...createPointerLabel(palette),
        formatter: ({ value }: { value: number }) => axisLabel(value, unit, scale.step / 10),
      },
    },
  }
}

function createPointer(palette: Palette) {
  return { show: true, label: { show: false }, lineStyle: { color: palette.dim, type: 'dashed' } }
}

function createPointerLabel(palette: Palette) {
  return {
    show: true,
    backgroundColor: palette.text,
    color: palette.surface,
    fontFamily: palette.font,
    padding: [4, 7],
  }
}
