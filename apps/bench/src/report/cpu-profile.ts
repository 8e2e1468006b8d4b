/** What `node --cpu-prof` writes, as far as it is read here. Times in µs. */
export interface CpuProfile {
  readonly nodes: readonly {
    readonly id: number
    readonly callFrame: { readonly functionName: string; readonly url: string; readonly lineNumber: number }
  }[]
  readonly startTime: number
  readonly samples: readonly number[]
  /** From the sample before, each. */
  readonly timeDeltas: readonly number[]
}

/** A span of the monotonic clock, which all processes of a machine share. In µs. */
export interface Span {
  readonly fromUs: number
  readonly untilUs: number
}

/** A function, and its part of the time that the process was busy, without what it called. */
export interface SelfTime {
  readonly place: string
  readonly share: number
}

/** The functions that took most of the busy time of some spans, the dearest first. */
export function dearestFunctions(profile: CpuProfile, spans: readonly Span[], most: number): SelfTime[] {
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

/** The name of a function, and its file from the project or the dependency on. */
function formatPlace({ functionName, url, lineNumber }: CpuProfile['nodes'][number]['callFrame']): string {
  if (url === '') return functionName
  const file = url.replace(/^.*\/node_modules\//, '').replace(/^.*\/(apps|packages)\//, '$1/')
  return `${functionName || '(anonymous)'} ${file}:${lineNumber + 1}`
}
