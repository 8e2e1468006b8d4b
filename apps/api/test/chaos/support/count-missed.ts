/** Counts numbers from `after + 1` to `last` that are not in their place, and surplus ones. */
export function countMissed(
  seqs: readonly number[],
  { after, last }: { readonly after: number; readonly last: number },
): number {
  let missed = 0
  for (let place = 0; place < Math.max(last - after, seqs.length); place++) {
    if (seqs[place] !== after + place + 1) missed++
  }
  return missed
}
