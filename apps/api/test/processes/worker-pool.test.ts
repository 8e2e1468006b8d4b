import { describe, expect, it } from 'vitest'
import { type WorkerEnd, WorkerPool, type WorkerProcess } from '../../src/processes/worker-pool.ts'

/** A pool whose workers, clock and timers the test moves. */
class Stage {
  readonly workers: (WorkerProcess & {
    readonly place: number
    readonly signals: NodeJS.Signals[]
    listen(): void
    end(end?: WorkerEnd): void
  })[] = []
  readonly delays: number[] = []
  nowMs = 0
  #due: (() => void)[] = []
  readonly pool: WorkerPool

  constructor(count: number) {
    this.pool = new WorkerPool({
      count,
      fork: (place) => this.#fork(place),
      log: { warn: () => {}, info: () => {} },
      now: () => this.nowMs,
      later: (delayMs, call) => {
        this.delays.push(delayMs)
        this.#due.push(call)
        return () => {
          this.#due = this.#due.filter((other) => other !== call)
        }
      },
    })
  }

  get places(): number[] {
    return this.workers.map(({ place }) => place)
  }

  /** Lets every delay pass. */
  async pass(): Promise<void> {
    for (const call of this.#due.splice(0)) call()
    await settle()
  }

  /** Starts the pool with workers that listen at once. */
  async start(): Promise<void> {
    const started = this.pool.start()
    for (let place = 0; place < this.workers.length; place++) {
      this.workers[place]?.listen()
      await settle()
    }
    await started
  }

  #fork(place: number): WorkerProcess {
    const ready = Promise.withResolvers<void>()
    const ended = Promise.withResolvers<WorkerEnd>()
    const signals: NodeJS.Signals[] = []
    const worker = {
      ...{ place, pid: place, signals, ready: ready.promise, ended: ended.promise, listen: ready.resolve },
      end: (end: WorkerEnd = { code: null, signal: 'SIGKILL' }) => ended.resolve(end),
      kill: (signal: NodeJS.Signals) => {
        signals.push(signal)
      },
    }
    this.workers.push(worker)
    return worker
  }
}

const settle = () => new Promise((resolve) => setImmediate(resolve))

describe('a pool of workers', () => {
  it('starts the others once the first one listens', async () => {
    const stage = new Stage(3)
    const started = stage.pool.start()
    await settle()
    expect(stage.places).toEqual([1])
    stage.workers[0]?.listen()
    await settle()
    expect(stage.places).toEqual([1, 2, 3])
    stage.workers[1]?.listen()
    stage.workers[2]?.listen()
    await started
  })

  it('does not start when the first worker ends before it listens, and tries no other', async () => {
    const stage = new Stage(2)
    const started = stage.pool.start()
    stage.workers[0]?.end({ code: 1, signal: null })
    await expect(started).rejects.toThrow('process 1 ended before it served')
    await stage.pass()
    expect(stage.places).toEqual([1])
  })

  it('starts a worker that ended again, after a delay that doubles up to ten seconds', async () => {
    const stage = new Stage(2)
    await stage.start()
    for (let fall = 0; fall < 8; fall++) {
      stage.workers.at(-1)?.end()
      await settle()
      await stage.pass()
    }
    expect(stage.delays).toEqual([200, 400, 800, 1_600, 3_200, 6_400, 10_000, 10_000])
    expect(stage.places).toEqual([1, 2, 2, 2, 2, 2, 2, 2, 2, 2])
  })

  it('forgets earlier ends of a worker that has lived for a minute', async () => {
    const stage = new Stage(1)
    await stage.start()
    stage.workers.at(-1)?.end()
    await settle()
    await stage.pass()
    stage.nowMs += 60_000
    stage.workers.at(-1)?.end()
    await settle()
    expect(stage.delays).toEqual([200, 200])
  })

  it('starts nothing again once it is stopped, and waits for every worker to end', async () => {
    const stage = new Stage(3)
    await stage.start()
    stage.workers[2]?.end()
    await settle()
    let isStopped = false
    const stopped = stage.pool.stop('SIGTERM').then(() => {
      isStopped = true
    })
    expect(stage.workers.map(({ signals }) => signals)).toEqual([['SIGTERM'], ['SIGTERM'], []])
    stage.workers[0]?.end({ code: 0, signal: null })
    await settle()
    expect(isStopped).toBe(false)
    stage.workers[1]?.end({ code: 0, signal: null })
    await stopped
    await stage.pass()
    expect(stage.places).toEqual([1, 2, 3])
  })

  it('can be stopped while it starts', async () => {
    const stage = new Stage(2)
    const started = stage.pool.start()
    const stopped = stage.pool.stop('SIGINT')
    stage.workers[0]?.end({ code: 0, signal: null })
    await Promise.all([started, stopped])
    expect(stage.places).toEqual([1])
  })
})
