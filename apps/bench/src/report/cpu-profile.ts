/** The part of `node --cpu-prof`'s format used here. Times in µs. */
export interface CpuProfile {
  readonly nodes: readonly {
    readonly id: number
    readonly callFrame: { readonly functionName: string; readonly url: string; readonly lineNumber: number }
  }[]
  readonly startTime: number
  readonly samples: readonly number[]
  /** Time since the previous sample. */
  readonly timeDeltas: readonly number[]
}

/** A period of the monotonic clock, which all processes of a machine share, in µs. */
export interface Span {
  readonly fromUs: number
  readonly untilUs: number
}

/** A function and its share of the busy time, excluding callees. */
export interface SelfTime {
  readonly place: string
  readonly share: number
}

/** The functions with the most self time within the periods, most expensive first. */
export function mostExpensiveFunctions(profile: CpuProfile, spans: readonly Span[], most: number): SelfTime[] {
  const places = new Map(profile.nodes.map(({ id, callFrame }) => [id, formatPlace(callFrame)]))
  const times = new Map<string, number>()
  let atUs = profile.startTime
  let busyUs = 0
  for (const [i, id] of profile.samples.entries()) {
    const tookUs = profile.timeDeltas[i] ?? 0
    atUs += tookUs
    const place = places.get(id) ?? '(unknown)'
    if (place === '(idle)' || !spans.some(({ fromUs, untilUs }) => atUs >= fromUs && atUs < untilUs)) continue
    times.set(place, (times.get(place) ?? 0) + tookUs)
    busyUs += tookUs
  }
  const byTime = [...times].sort((a, b) => b[1] - a[1]).slice(0, most)
  return byTime.map(([place, us]) => ({ place, share: us / busyUs }))
}

/** A function's name and its file, relative to the project or dependency. */
function formatPlace({ functionName, url, lineNumber }: CpuProfile['nodes'][number]['callFrame']): string {
  if (url === '') return functionName
  const file = url.replace(/^.*\/node_modules\//, '').replace(/^.*\/(apps|packages)\//, '$1/')
  return `${functionName || '(anonymous)'} ${file}:${lineNumber + 1}`
}
