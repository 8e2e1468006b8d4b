/** The middle of some numbers, the mean of the two middle ones where their count is even. Throws for none. */
export function median(values: readonly number[]): number {
  return quantile(values, 0.5)
}

/** The value below which a part `q` (0 to 1) of some numbers lies, between two of them in proportion. Throws for none. */
export function quantile(values: ArrayLike<number>, q: number): number {
  const sorted = Float64Array.from(values).sort()
  const place = (sorted.length - 1) * q
  const below = sorted[Math.floor(place)]
  const above = sorted[Math.ceil(place)]
  if (below === undefined || above === undefined) throw new RangeError('there is no middle of nothing')
  return below + (above - below) * (place - Math.floor(place))
}
