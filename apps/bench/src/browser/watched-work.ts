import type { BrowserPage } from './browser-page.ts'

/** What a page did since it was last asked. */
export interface WatchedWork {
  /** From a click, as the browser dates it, to the end of the frame that shows what came of it, ms. */
  readonly clicksMs: readonly number[]
  /** From a key to the end of the frame in which the watched text is another, ms. */
  readonly keysMs: readonly number[]
  readonly framesPerSecond: number
  /** 50 where there was none of 50 ms or more: browsers tell of no shorter one. */
  readonly longestTaskMs: number
}

/** Begins to watch a page; a key is answered when the text, or value, at `answer` changes. Returns the way to ask, and begin anew. */
export async function watchWork(page: BrowserPage, answer: string): Promise<() => Promise<WatchedWork>> {
  await page.evaluate(installWatch, answer)
  return () => page.evaluate(() => (globalThis as unknown as { takeWork(): Promise<WatchedWork> }).takeWork(), null)
}

/** Runs in the page, and so uses nothing from outside itself. */
function installWatch(answer: string): void {
  const GIVE_UP_MS = 5_000
  const fresh = () => ({ clicksMs: [] as number[], keysMs: [] as number[], frames: 0, longestTaskMs: 50 })
  let work = fresh()
  let sinceMs = performance.now()
  const text = () => {
    const element = document.querySelector(answer)
    return element instanceof HTMLInputElement ? element.value : element?.textContent
  }
  /** Clicks and keys whose frame has not come. */
  let waiting = 0
  /** A message comes after the frame under way has been drawn, before any timer. */
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
