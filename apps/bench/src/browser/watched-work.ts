import type { BrowserPage } from './browser-page.ts'

/** Work of a page since the last call. */
export interface WatchedWork {
  /** From each click's event timestamp to the end of the next frame, ms. */
  readonly clicksMs: readonly number[]
  /** From each key to the end of the frame in which the watched text changed, ms. */
  readonly keysMs: readonly number[]
  readonly framesPerSecond: number
  /** Longest task in ms; 50 if there was none above, since browsers report no shorter ones. */
  readonly longestTaskMs: number
}

/** Watches a page; a key counts as answered when the text or value at `answer` changes. Returns a function that reads and resets. */
export async function watchWork(page: BrowserPage, answer: string): Promise<() => Promise<WatchedWork>> {
  await page.evaluate(installWatch, answer)
  return () => page.evaluate(() => (globalThis as unknown as { takeWork(): Promise<WatchedWork> }).takeWork(), null)
}

/** Runs in the page, so it must not use anything from outside. */
function installWatch(answer: string): void {
  const GIVE_UP_MS = 5_000
  const fresh = () => ({ clicksMs: [] as number[], keysMs: [] as number[], frames: 0, longestTaskMs: 50 })
  let work = fresh()
  let sinceMs = performance.now()
  const text = () => {
    const element = document.querySelector(answer)
    return element instanceof HTMLInputElement ? element.value : element?.textContent
  }
  /** Clicks and keys whose frame has not been drawn. */
  let waiting = 0
  /** A message is delivered after the current frame has been drawn, before any timer. */
  const afterFrame = (then: () => void) => {
    const { port1, port2 } = new MessageChannel()
    port1.onmessage = then
    port2.postMessage(null)
  }
  const note = (delaysMs: number[], sinceMs: number) => {
    delaysMs.push(performance.now() - sinceMs)
    waiting--
  }
  const onClick = ({ timeStamp }: Event) => {
    waiting++
    requestAnimationFrame(() => afterFrame(() => note(work.clicksMs, timeStamp)))
  }
  const onKey = ({ timeStamp }: Event) => {
    waiting++
    const before = text()
    const look = () => {
      const isOver = text() !== before || performance.now() - timeStamp > GIVE_UP_MS
      if (isOver) afterFrame(() => note(work.keysMs, timeStamp))
      else requestAnimationFrame(look)
    }
    requestAnimationFrame(look)
  }
  addEventListener('click', onClick, true)
  addEventListener('keydown', onKey, true)
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) work.longestTaskMs = Math.max(work.longestTaskMs, duration)
  }).observe({ type: 'longtask' })
  const countFrame = () => {
    work.frames++
    requestAnimationFrame(countFrame)
  }
  requestAnimationFrame(countFrame)
  const takeWork = async () => {
    while (waiting > 0) await new Promise(requestAnimationFrame)
    const { frames, ...taken } = work
    const framesPerSecond = (frames * 1_000) / (performance.now() - sinceMs)
    work = fresh()
    sinceMs = performance.now()
    return { ...taken, framesPerSecond }
  }
  Object.assign(globalThis, { takeWork })
}
