/**
 * Returns the median of some values. For an even number of values, the median is the mean of the two middle values.
 * Throws if there are no values.
 */
export function median(values: readonly number[]): number {
  return quantile(values, 0.5)
}

/** Returns the quantile `q` (0 to 1) of some values, linearly interpolated. Throws an error if there are no values. */
export function quantile(values: ArrayLike<number>, q: number): number {
  const sorted = Float64Array.from(values).sort()
  const place = (sorted.length - 1) * q
  const below = sorted[Math.floor(place)]
  const above = sorted[Math.ceil(place)]
  if (below === undefined || above === undefined) throw new RangeError('there is no middle of nothing')
  return below + (above - below) * (place - Math.floor(place))
}
